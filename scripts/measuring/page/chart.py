# SPDX-License-Identifier: Apache-2.0
"""Draws one figure as SVG, in the colours of heddle's own charts.

A figure is a dict:
  title, xLabel, yLabel   words
  kind                    "line" (default), "dots", or "bars": from left to right, a label and a value each
  series                  {name: [(x, y)]}; of bars one, with words as x
  asked                   [(x, y)] of bars to reach: a dashed line where all are the same, a dash at each x otherwise
  askedAs                 what the legend calls them
  xScale, yScale          "linear" (default), "log"; xScale also "ordinal": the values side by side
  band                    share: y = x, and how far from it y may be; both axes reach equally far
"""

import math
from xml.sax.saxutils import escape

PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#b8a000")
STYLE = ("text{font:12px sans-serif;fill:#222}.title{font-weight:bold;font-size:13px}.paper{fill:#fff}.grid{stroke:#ddd}"
         ".axis{stroke:#222}.line{fill:none;stroke-width:2}.asked{stroke:#d4006a;stroke-width:2}"
         "@media(prefers-color-scheme:dark){text{fill:#ddd}.paper{fill:#1b1b1b}.grid{stroke:#444}.axis{stroke:#ddd}}")
WIDTH, TOP, BOTTOM, LEFT, RIGHT = 480, 36, 246, 56, 464
LETTER = 6.6  # mean width, on the safe side
ROW = 18


class Scale:
    """Values to places between `start` and `end`, and the values to name there."""

    def __init__(self, values, start, end, kind, from_zero):
        self.start, self.end, self.kind = start, end, kind
        if kind == "ordinal":
            self.ticks = sorted(set(values))
            self.low, self.high = -0.5, len(self.ticks) - 0.5
        elif kind == "log":
            self.low, self.high = math.log(min(values)) - 0.1, math.log(max(values)) + 0.1
            self.ticks = [m * 10.0**e for e in range(-9, 13) for m in (1, 2, 5) if self.low <= math.log(m * 10.0**e) <= self.high]
        else:
            low = 0 if from_zero and 0 < min(values) < 0.5 * max(values) else min(values)
            self.low, self.high, step = self.linear(low, max(values))
            self.ticks = [step * i for i in range(math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9) + 1)]

    @staticmethod
    def linear(low, high):
        """Some space around, and a step of 1, 2 or 5 that makes about five."""
        space = 0.06 * (high - low) or 0.1 * abs(high) or 1
        low, high = (low if low == 0 else low - space), high + space
        magnitude = 10.0 ** math.floor(math.log10((high - low) / 5))
        return low, high, next(m * magnitude for m in (1, 2, 5, 10) if (high - low) / (m * magnitude) <= 7)

    def __call__(self, value):
        place = self.ticks.index(value) if self.kind == "ordinal" else math.log(value) if self.kind == "log" else value
        return self.start + (place - self.low) / (self.high - self.low) * (self.end - self.start)


def words(x, y, text, anchor="middle", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{escape(text)}</text>'


def line(kind, x1, y1, x2, y2, more=""):
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"{more}/>'


def tick(value):
    return f"{value:,.10g}".replace(",", " ") if abs(value) >= 10000 else f"{value:.6g}"


def axes(figure, x, y):
    lines = []
    for value in x.ticks:
        lines += [line("grid", x(value), TOP, x(value), BOTTOM), words(x(value), BOTTOM + 16, tick(value))]
    for value in y.ticks:
        lines += [line("grid", LEFT, y(value), RIGHT, y(value)), words(LEFT - 6, y(value) + 4, tick(value), "end")]
    middle = (TOP + BOTTOM) / 2
    return [*lines, line("axis", LEFT, BOTTOM, RIGHT, BOTTOM), line("axis", LEFT, TOP, LEFT, BOTTOM),
            words((LEFT + RIGHT) / 2, BOTTOM + 34, figure["xLabel"]),
            words(14, middle, figure["yLabel"], more=f' transform="rotate(-90 14 {middle:.1f})"')]


def draw_series(points, color, kind, x, y):
    places = [(x(a), y(b)) for a, b in sorted(points)]
    lines = []
    if kind == "line":
        lines.append(f'<polyline class="line" stroke="{color}" points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in places)}"/>')
    radius = 2.5 if kind == "line" else 3
    return lines + [f'<circle fill="{color}" fill-opacity="0.8" cx="{a:.1f}" cy="{b:.1f}" r="{radius}"/>' for a, b in places]


def draw_asked(asked, x, y):
    if len({value for _, value in asked}) == 1:
        return [line("asked", LEFT, y(asked[0][1]), RIGHT, y(asked[0][1]), ' stroke-dasharray="6 4"')]
    return [line("asked", x(place) - 12, y(value), x(place) + 12, y(value)) for place, value in asked]


def draw_band(share, x, y):
    """y = x, y = (1 + share) x and y = (1 - share) x, as far as both axes reach."""
    def place(scale, value):
        return math.exp(value) if scale.kind == "log" else value
    lines = []
    for factor in (1, 1 + share, 1 - share):
        low = max(place(x, x.low), place(y, y.low) / factor)
        high = min(place(x, x.high), place(y, y.high) / factor)
        lines.append(line("axis" if factor == 1 else "asked", x(low), y(factor * low), x(high), y(factor * high),
                          "" if factor == 1 else ' stroke-dasharray="6 4"'))
    return lines


def legend(entries, top):
    """Entries of (name, its sign as a function of its place), in as many rows as they take; the height of the rows."""
    lines, left, row = [], LEFT, 0
    for name, sign in entries:
        width = 28 + LETTER * len(name) + 14
        if left > LEFT and left + width > WIDTH:
            left, row = LEFT, row + 1
        y = top + ROW * row
        lines += [sign(left, y), words(left + 26, y + 4, name, "start")]
        left += width
    return lines, ROW * (row + 1)


def signs(figure):
    """What the legend has to explain."""
    entries = []
    for index, name in enumerate(figure["series"]):
        color = PALETTE[index]
        if figure.get("kind") == "dots":
            entries.append((name, lambda x, y, color=color: f'<circle fill="{color}" cx="{x + 10:.1f}" cy="{y:.1f}" r="3"/>'))
        else:
            entries.append((name, lambda x, y, color=color: line("line", x, y, x + 20, y, f' stroke="{color}"')))
    if figure.get("asked"):
        values = sorted({value for _, value in figure["asked"]})
        name = figure.get("askedAs", "asked for")
        entries.append((f"{name}: {values[0]:.6g}" if len(values) == 1 else name,
                        lambda x, y: line("asked", x, y, x + 20, y, ' stroke-dasharray="6 4"' if len(values) == 1 else "")))
    if figure.get("band"):
        entries.append((f"within {100 * figure['band']:.0f} %",
                        lambda x, y: line("asked", x, y, x + 20, y, ' stroke-dasharray="6 4"')))
    return entries


def draw_bars(figure):
    (points,) = figure["series"].values()
    left = 16 + LETTER * max(len(label) for label, _ in points)
    asked = figure.get("asked", [])
    high = 1.12 * max(value for _, value in [*points, *asked])
    bottom = TOP + 30 * len(points)
    def across(value):
        return left + value / high * (RIGHT - left)
    lines = []
    for index, (label, value) in enumerate(points):
        top = TOP + 4 + 30 * index
        lines += [words(left - 8, top + 15, label, "end"),
                  f'<rect fill="{PALETTE[0]}" x="{left:.1f}" y="{top}" width="{across(value) - left:.1f}" height="22"/>',
                  words(across(value) + 6, top + 15, f"{value:.2f}", "start")]
    tops = {label: TOP + 30 * index for index, (label, _) in enumerate(points)}
    lines += [line("asked", across(value), tops[label], across(value), tops[label] + 30, ' stroke-dasharray="6 4"')
              for label, value in asked]
    lines += [line("axis", left, TOP, left, bottom), words((left + RIGHT) / 2, bottom + 18, figure["yLabel"])]
    return lines, bottom + 36


def draw_axes(figure):
    asked = figure.get("asked", [])
    points = [point for series in figure["series"].values() for point in series]
    xs, ys = [a for a, _ in points], [b for _, b in [*points, *asked]]
    band = figure.get("band")
    x = Scale(xs + ys if band else xs, LEFT, RIGHT, figure.get("xScale", "linear"), band)
    y = Scale(xs + ys if band else ys, BOTTOM, TOP, figure.get("yScale", "linear"), True)
    lines = axes(figure, x, y)
    lines += draw_band(band, x, y) if band else []
    lines += draw_asked(asked, x, y) if asked else []
    for index, series in enumerate(figure["series"].values()):
        lines += draw_series(series, PALETTE[index], figure.get("kind", "line"), x, y)
    return lines, BOTTOM + 52


def draw(figure):
    bars = figure.get("kind") == "bars"
    lines, height = (draw_bars if bars else draw_axes)(figure)
    entries = signs(figure)[1:] if bars else signs(figure)
    if entries:
        below, rows = legend(entries, height)
        lines, height = lines + below, height + rows
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
                      f'role="img">', f"<style>{STYLE}</style>", '<rect class="paper" width="100%" height="100%"/>',
                      words(16, 20, figure["title"], "start", ' class="title"'), *lines, "</svg>"]) + "\n"
