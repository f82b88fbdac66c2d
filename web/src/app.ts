// SPDX-License-Identifier: Apache-2.0
//
// What a view is given, and what it may ask of the page around it.
import { Accounts, type KernelView, kernelViews, ownerRanks, slowest } from './model';
import type { Location } from './state';
import type { Place, Report, Run } from './types';
import { Influence } from './influence';

export interface Context {
  report: Report;
  at: Location;
  run: Run;
  views: KernelView[];
  /// The kernel that is looked at; of all, the slowest.
  current: KernelView | undefined;
  accounts: Accounts;
  influence: Influence;
  ranks: Map<string, number>;
  go: (to: Partial<Location>) => void;
  showPlace: (place: Place) => void;
}

export interface View {
  element: HTMLElement;
  update(context: Context): void;
  /// A key that no control took; whether the view did.
  key?(event: KeyboardEvent): boolean;
  /// The colours have changed.
  recolour?(): void;
}

/// The parts of a context that depend on the report and the address alone; made again only when the
/// kernels that are looked at change.
export class Contexts {
  private kept: { key: string; made: Omit<Context, 'at' | 'go' | 'showPlace'> } | undefined;

  constructor(private readonly report: Report) {}

  at(at: Location): Omit<Context, 'at' | 'go' | 'showPlace'> {
    const key = `${at.run} ${at.kernel}`;
    if (this.kept?.key === key) return this.kept.made;
    const run = this.report.runs[at.run] ?? this.report.runs[0];
    if (!run) throw new Error('a report without a run');
    const views = kernelViews(run);
    const current = (at.kernel === 'all' ? undefined : views[at.kernel]) ?? slowest(views);
    const chosen = at.kernel === 'all' ? views : current ? [current] : [];
    const made = {
      report: this.report,
      run,
      views,
      current,
      accounts: new Accounts(run, chosen),
      influence: new Influence(chosen.map((view) => view.kernel)),
      ranks: current ? ownerRanks(current.facts) : new Map<string, number>(),
    };
    this.kept = { key, made };
    return made;
  }
}
