// Turns what the page of `npm run bench:peers` measured into the record that web/src/speed/recorded/record.d.ts
// describes.
import { goalsOf } from './bench-goals.mjs';
import { minimum, pairedRatio, summary } from './bench-statistics.mjs';

const builds = ['simd', 'relaxed'];
const rounded = (x, digits = 4) => (Number.isFinite(x) ? Number(x.toPrecision(digits)) : null);

const timed = ({ samples }) => samples !== undefined;
const unique = (values) => [...new Set(values)];
const least = (all, of) =>
  all.reduce((best, one) => (best === undefined || of(one) < of(best) ? one : best), undefined);

/** The highest number of multiply-adds per second in the whole run: {'mul+add': …, FMA: …}. */
export function peaksOf(results) {
  const found = {};
  for (const { peaks } of results) {
    for (const { name, multiplyAdds, samples } of peaks) {
      found[name] = Math.max(found[name] ?? 0, multiplyAdds / (minimum(samples) / 1000));
    }
  }
  return found;
}

function errorOf(results, peer) {
  const all = results
    .flatMap(({ contenders }) => contenders.filter((one) => one.peer === peer))
    .filter(({ maxError }) => maxError !== undefined);
  if (all.length === 0) return null;
  const most = (key) => rounded(Math.max(...all.map((one) => one[key])));
  return { max: most('maxError'), rms: most('rmsError') };
}

function contender(results, peer, peaks) {
  const fastest = results.map(({ contenders }) =>
    least(
      contenders.filter((one) => one.peer === peer && timed(one)),
      (one) => summary(one.samples).median,
    ),
  );
  const all = fastest.map((one) => (one ? summary(one.samples) : {}));
  const variants = unique(fastest.filter(Boolean).map(({ variant }) => variant));
  const entry = {
    peer,
    variants,
    variant: fastest.map((one) => (one ? variants.indexOf(one.variant) : null)),
    median: all.map(({ median }) => rounded(median)),
    min: all.map(({ min }) => rounded(min)),
    error: errorOf(results, peer),
  };
  if (builds.some((build) => peer === `ours ${build}`) && results.some((one) => one.multiplyAdds)) {
    const share = (peak) =>
      results.map(({ multiplyAdds }, i) => rounded(multiplyAdds / (all[i].min / 1000) / peak));
    entry.share = Object.fromEntries(
      Object.entries(peaks).map(([key, peak]) => [key, share(peak)]),
    );
  }
  return entry;
}

/** The ratio at every size to that form of the peer that is fastest there. */
function ratio(results, build, peer) {
  const best = results.map(({ contenders }) => {
    const mine = contenders.find((one) => one.peer === `ours ${build}` && timed(one));
    const theirs = contenders.filter((one) => one.peer === peer && timed(one));
    if (!mine) return {};
    const all = theirs.map(({ samples }) => pairedRatio(samples, mine.samples));
    return least(all, ({ median }) => median) ?? {};
  });
  const column = (key) => best.map((one) => rounded(one[key], 3));
  return { build, peer, median: column('median'), q1: column('q1'), q3: column('q3') };
}

function caseRecord(results, peaks) {
  const sorted = [...results].sort((a, b) => a.n - b.n);
  const peers = unique(sorted.flatMap(({ contenders }) => contenders.map(({ peer }) => peer)));
  const loops = sorted.map(({ float32Loop }) => float32Loop).filter(Boolean);
  const most = (key) => rounded(Math.max(...loops.map((one) => one[key])));
  return {
    name: sorted[0].name,
    title: sorted[0].title,
    sizes: sorted.map(({ n }) => n),
    multiplyAdds: sorted.map(({ multiplyAdds }) => multiplyAdds),
    contenders: peers.map((peer) => contender(sorted, peer, peaks)),
    ratios: builds
      .filter((build) => peers.includes(`ours ${build}`))
      .flatMap((build) =>
        peers.filter((peer) => peer !== `ours ${build}`).map((peer) => ratio(sorted, build, peer)),
      ),
    float32Loop: loops.length > 0 ? { max: most('maxError'), rms: most('rmsError') } : null,
  };
}

export function recordOf(results, about, crossovers) {
  const peaks = peaksOf(results);
  const cases = unique(results.map(({ name }) => name)).map((name) =>
    caseRecord(
      results.filter((one) => one.name === name),
      peaks,
    ),
  );
  for (const one of cases) {
    one.goals = goalsOf(one, cases).map((goal) => ({ ...goal, seen: rounded(goal.seen, 3) }));
  }
  const gigaflops = (rate) => rounded((2 * rate) / 1e9);
  return {
    about,
    peaks: Object.entries(peaks).map(([name, rate]) => ({ name, gigaflops: gigaflops(rate) })),
    cases,
    crossovers,
  };
}

/** The record as text, with one line for each contender, ratio and goal. */
export function textOf(record) {
  const list = (all, text = JSON.stringify) => `[\n${all.map((one) => text(one)).join(',\n')}\n]`;
  const fields = (one, lists) =>
    `{${Object.entries(one)
      .map(([key, value]) => {
        const text = lists.includes(key) && value.length > 0 ? list(value) : JSON.stringify(value);
        return `\n"${key}": ${text}`;
      })
      .join(',')}\n}`;
  const { about, peaks, cases, crossovers } = record;
  const caseText = (one) => fields(one, ['contenders', 'ratios', 'goals']);
  return `{
"about": ${fields(about, [])},
"peaks": ${JSON.stringify(peaks)},
"cases": ${list(cases, caseText)},
"crossovers": ${list(crossovers)}
}
`;
}
