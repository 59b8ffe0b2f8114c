/** Opens the record of a lab, with what was answered in those of its steps that another lab had once. */
import { questionsIn } from '../page/step-progress.ts';
import type { Step } from '../types';
import type { LabRecord, LabRecords, RecordParts } from './answer-records.ts';

/** Ids of the steps that the lab `from` had, and of what they ask. */
function partsFrom(from: string, steps: readonly Step[]): RecordParts {
  const moved = steps.filter(({ formerlyIn }) => formerlyIn === from);
  const asked = moved.flatMap(({ blocks }) => [...questionsIn(blocks)]);
  const ids = (kind: 'prediction' | 'check'): ReadonlySet<string> =>
    new Set(asked.flatMap((one) => (one.kind === kind ? [one.id] : [])));
  return {
    ...{ predictions: ids('prediction'), checks: ids('check') },
    seen: new Set(moved.map(({ id }) => id)),
  };
}

export async function openRecord(
  records: LabRecords,
  { id, steps }: { readonly id: string; readonly steps: readonly Step[] },
): Promise<LabRecord> {
  const labs = new Set(steps.flatMap(({ formerlyIn }) => formerlyIn ?? []));
  for (const from of labs) await records.takeOver(from, id, partsFrom(from, steps));
  return records.open(id);
}
