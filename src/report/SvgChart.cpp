// SPDX-License-Identifier: Apache-2.0
#include "report/SvgChart.h"

#include "report/Table.h"
#include "support/Printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heddle::report {
namespace {

// Pixels. The plot is framed by margins; the legend is in the right one.
constexpr double marginLeft = 64, marginTop = 36, marginBottom = 48;
constexpr double plotWidth = 506;
constexpr double leastPlotHeight = 216, leastLegendWidth = 150;
constexpr double legendRow = 18, legendLetter = 7, legendSample = 38;
constexpr double titleLetter = 8.5;
constexpr double lineWidth = 2, rimWidth = 4;
constexpr std::ptrdiff_t mostRims = 2;

/// The same for all charts of a picture: wide and high enough for their legends and titles.
struct Layout {
  explicit Layout(const std::vector<Chart>& charts) {
    for (const Chart& chart : charts) {
      plotHeight = std::max(plotHeight, legendRow * double(chart.series.size()));
      legendWidth =
          std::max(legendWidth, titleLetter * double(displayWidth(chart.title)) - plotWidth);
      for (const Series& series : chart.series)
        legendWidth =
            std::max(legendWidth, legendSample + legendLetter * double(displayWidth(series.name)));
    }
  }

  double panelWidth() const { return marginLeft + plotWidth + std::ceil(legendWidth); }
  double panelHeight() const { return marginTop + plotHeight + marginBottom; }

  double plotHeight = leastPlotHeight;
  double legendWidth = leastLegendWidth;
};

// Colours that people with colour-vision deficiency can tell apart (Okabe and Ito).
constexpr const char* palette[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                   "#e69f00", "#56b4e9", "#7f7f7f", "#b8a000"};

// Written out for both schemes, since not every SVG reader knows CSS variables.
constexpr const char* style =
    "<style>text{font:12px sans-serif;fill:#222}.title{font-weight:bold;font-size:14px}"
    ".paper{fill:#fff}.grid{stroke:#ddd}.axis{stroke:#222}"
    ".line{fill:none}.marker{fill:#d4006a}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.paper{fill:#1b1b1b}.grid{stroke:#444}"
    ".axis{stroke:#ddd}}</style>\n";

std::string escaped(std::string_view text) {
  std::string result;
  for (const char letter : printableLine(text)) // XML knows no control characters
    switch (letter) {
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '&':
      result += "&amp;";
      break;
    default:
      result += letter;
    }
  return result;
}

/// "1e6" for 1000000, "1e-4" for 0.0001; short ones as they are.
std::string tickText(double value) {
  const double size = std::abs(value);
  std::string text = fmt::format("{:.6g}", value);
  if (const std::string power = fmt::format("{:.0e}", value);
      size > 0 && size < 1e-3 && std::abs(std::stod(power) - value) < 1e-6 * size)
    text = power;
  for (const std::string_view noise : {"e+0", "e+"})
    if (const std::size_t at = text.find(noise); at != std::string::npos)
      text.replace(at, noise.size(), "e");
  if (const std::size_t at = text.find("e-0"); at != std::string::npos)
    text.erase(at + 2, 1);
  return text;
}

/// Where a value lies in a range: 0 at its low end, 1 at its high one.
double shareOf(double value, Range2 range, bool logarithmic) {
  return logarithmic ? std::log(value / range.low) / std::log(range.high / range.low)
                     : (value - range.low) / (range.high - range.low);
}

/// Draws one chart into a panel whose upper left corner is at (0, top).
class Panel {
public:
  Panel(const Chart& chart, const Layout& layout, double top)
      : chart_(chart), plotHeight_(layout.plotHeight), top_(top) {}

  std::string draw() {
    drawAxes();
    for (std::size_t index = 0; index < chart_.series.size(); ++index)
      drawSeries(chart_.series[index], index);
    for (const Marker& marker : chart_.markers)
      drawMarker(marker);
    return std::move(out_);
  }

private:
  double atX(double x) const { return marginLeft + shareOf(x, chart_.x, chart_.logX) * plotWidth; }
  double atY(double y) const {
    const double share = shareOf(y, chart_.y, chart_.logY);
    return top_ + marginTop + (1 - std::clamp(share, 0.0, 1.0)) * plotHeight_;
  }

  static std::vector<double> ticks(Range2 range, bool logarithmic, int count) {
    return logarithmic ? logTicks(range, count) : axisTicks(range, count);
  }

  void text(double x, double y, std::string_view anchor, std::string_view words,
            std::string_view extra = "") {
    out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
                        anchor, extra, escaped(words));
  }

  void line(double x1, double y1, double x2, double y2, std::string_view kind) {
    out_ += fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" "
                        "y2=\"{:.1f}\"/>\n",
                        kind, x1, y1, x2, y2);
  }

  void drawAxes() {
    const double bottom = top_ + marginTop + plotHeight_;
    const bool whole = hasWholeNumbers();
    for (const double tick : ticks(chart_.x, chart_.logX, 8)) {
      if (whole && tick != std::round(tick))
        continue;
      line(atX(tick), top_ + marginTop, atX(tick), bottom, "grid");
      text(atX(tick), bottom + 16, "middle", tickText(tick));
    }
    for (const double tick : ticks(chart_.y, chart_.logY, 5)) {
      line(marginLeft, atY(tick), marginLeft + plotWidth, atY(tick), "grid");
      text(marginLeft - 6, atY(tick) + 4, "end", tickText(tick));
    }
    line(marginLeft, bottom, marginLeft + plotWidth, bottom, "axis");
    line(marginLeft, top_ + marginTop, marginLeft, bottom, "axis");
    text(marginLeft, top_ + 22, "start", chart_.title, " class=\"title\"");
    text(marginLeft + plotWidth / 2, bottom + 36, "middle", chart_.xLabel);
    const double middle = top_ + marginTop + plotHeight_ / 2;
    text(12, middle, "middle", chart_.yLabel,
         fmt::format(" transform=\"rotate(-90 12 {:.1f})\"", middle));
  }

  /// Of counts and numbered things nothing is between.
  bool hasWholeNumbers() const {
    return std::ranges::all_of(chart_.series, [](const Series& series) {
      return std::ranges::all_of(series.x, [](double x) { return x == std::round(x); });
    });
  }

  /// A line that later ones would cover is wider, so that it shows on both sides of them.
  double widthOf(std::size_t index) const {
    const Series& series = chart_.series[index];
    const auto covers = [&](const Series& other) {
      const auto isNear = [&](double a, double b) { return std::abs(atY(a) - atY(b)) < lineWidth; };
      return series.x == other.x && std::ranges::equal(series.y, other.y, isNear);
    };
    const auto later = chart_.series.begin() + std::ptrdiff_t(index) + 1;
    const auto rims = std::count_if(later, chart_.series.end(), covers);
    return lineWidth + rimWidth * double(std::min(rims, mostRims));
  }

  void drawSeries(const Series& series, std::size_t index) {
    const char* color = palette[index % std::size(palette)];
    std::string points;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (series.stairs && i > 0)
        points += fmt::format("{:.1f},{:.1f} ", atX(series.x[i - 1]), atY(series.y[i]));
      points += fmt::format("{:.1f},{:.1f} ", atX(series.x[i]), atY(series.y[i]));
    }
    const char* dashes = series.dashed ? " stroke-dasharray=\"6 4\"" : "";
    out_ += fmt::format(
        "<polyline class=\"line\" stroke=\"{}\" stroke-width=\"{}\"{} points=\"{}\"/>\n", color,
        widthOf(index), dashes, points);
    if (series.dots)
      for (std::size_t i = 0; i < series.x.size(); ++i)
        out_ += fmt::format("<circle fill=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\"/>\n", color,
                            atX(series.x[i]), atY(series.y[i]));
    if (!series.name.empty())
      drawLegend(series.name, index, color, dashes);
  }

  void drawLegend(const std::string& name, std::size_t index, const char* color,
                  const char* dashes) {
    const double y = top_ + marginTop + 8 + legendRow * double(index);
    const double x = marginLeft + plotWidth + 12;
    out_ += fmt::format("<line class=\"line\" stroke=\"{}\" stroke-width=\"{}\"{} x1=\"{:.1f}\" "
                        "y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                        color, lineWidth, dashes, x, y, x + 20, y);
    text(x + 26, y + 4, "start", name);
  }

  void drawMarker(const Marker& marker) {
    const double x = atX(marker.x), y = atY(marker.y);
    out_ += fmt::format("<circle class=\"marker\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\"/>\n", x, y);
    const bool right = x > marginLeft + plotWidth * 0.7;
    text(right ? x - 9 : x + 9, y - 8, right ? "end" : "start", marker.label);
  }

  const Chart& chart_;
  double plotHeight_;
  double top_;
  std::string out_;
};

} // namespace

std::vector<double> axisTicks(Range2 range, int count) {
  const double raw = (range.high - range.low) / count;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= raw) {
      step = factor * power;
      break;
    }
  std::vector<double> ticks;
  for (double index = std::ceil(range.low / step - 1e-9); index * step <= range.high + step * 1e-9;
       ++index)
    ticks.push_back(index * step + 0.0); // never -0
  return ticks;
}

std::vector<double> logTicks(Range2 range, int count) {
  const int first = int(std::floor(std::log10(range.low) + 1e-9));
  const int last = int(std::floor(std::log10(range.high) + 1e-9));
  const double decades = std::log10(range.high / range.low);
  const int step = std::max(1, int(std::ceil(decades / count)));
  std::vector<double> ticks;
  for (int exponent = first; exponent <= last; exponent += step)
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double tick = factor * std::pow(10.0, exponent);
      const bool inside = tick >= range.low * (1 - 1e-9) && tick <= range.high * (1 + 1e-9);
      if (inside && (factor == 1 || decades < 2))
        ticks.push_back(tick);
    }
  return ticks.size() < 2 ? axisTicks(range, count) : ticks; // a range too narrow for these
}

std::string drawSvg(const std::vector<Chart>& charts) {
  const Layout layout(charts);
  const double height = layout.panelHeight() * double(charts.size());
  std::string svg = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" "
                                "height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\">\n",
                                layout.panelWidth(), height);
  svg += style;
  svg += "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n";
  for (std::size_t index = 0; index < charts.size(); ++index)
    svg += Panel(charts[index], layout, layout.panelHeight() * double(index)).draw();
  return svg + "</svg>\n";
}

} // namespace heddle::report
