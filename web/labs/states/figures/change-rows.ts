/** How much the filter of each model changes when the text does, gates divided out. */
import { html } from 'lit';
import type { FilterProbe, SequenceMixerInfo } from '#client';
import { formatNumber } from '../../../src/plot/format.ts';
import type { Look } from '../../../src/plot/point-marks.ts';
import { words } from '../words/changes.ts';
import { looksOf, modelName } from './looks.ts';
import { rowChart } from './row-chart.ts';

/** Ratios of float64 agree to about twelve digits where there is one filter. */
const [LEAST, MOST] = [1e-14, 1];

interface Probed {
  readonly info: SequenceMixerInfo;
  readonly probe: FilterProbe;
}

export function changeRows(
  label: string,
  rows: readonly Probed[],
  before: readonly Probed[] | undefined,
  dark: boolean,
): unknown {
  const looks = looksOf(
    rows.map(({ info }) => info.id),
    dark,
  );
  const at = (change: number): number =>
    Number.isNaN(change) ? change : Math.min(MOST, Math.max(LEAST, change));
  return rowChart({
    label,
    rows: rows.map(({ info, probe }) => {
      const was = before?.find((one) => one.info.id === info.id);
      return {
        ...{ name: modelName(info.id, info.label), look: looks.get(info.id) as Look },
        ...{ at: at(probe.filterChange), before: was && at(was.probe.filterChange) },
        text: probe.filterFixed ? html`<b>${words.fixed}</b>` : formatNumber(probe.filterChange, 2),
      };
    }),
    ...{ low: LEAST, high: MOST, log: true, dark },
    ends: [words.equal, words.all],
  });
}
