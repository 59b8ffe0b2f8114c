// The plot of `npm run bench:peers`: one panel a case, how many times longer each peer takes than our
// baseline build, over n; both axes logarithmic, bars from the lower to the upper quartile.

const panel = { width: 250, height: 190, left: 44, right: 12, top: 30, bottom: 32 };
const columns = 4;
const header = 58;
const footer = 26;

/** Colours that colour-blind readers can tell apart (Okabe and Ito), and a marker each. */
const styles = {
  'onnxruntime-web': { colour: '#0072b2', marker: 'circle' },
  'onnxruntime-web, chunked': { colour: '#56b4e9', marker: 'circle' },
  tfjs: { colour: '#d55e00', marker: 'square' },
  'tfjs, chunked': { colour: '#e69f00', marker: 'square' },
  'plain JS': { colour: '#555555', marker: 'diamond' },
  'blocked JS': { colour: '#999999', marker: 'diamond' },
  'ours scalar': { colour: '#cc79a7', marker: 'triangle' },
  'ours relaxed': { colour: '#009e73', marker: 'triangle' },
};
const markers = {
  circle: 'M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z',
  square: 'M-3-3h6v6h-6z',
  diamond: 'M0-4l4 4l-4 4l-4-4z',
  triangle: 'M0-4l4 7h-8z',
};

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const label = (x, y, text, more = '') => `<text x="${x}" y="${y}"${more}>${escaped(text)}</text>`;
const line = (x1, y1, x2, y2, stroke, more = '') =>
  `<path d="M${x1} ${y1}L${x2} ${y2}" stroke="${stroke}"${more}/>`;
const round = (value) => Number(value.toFixed(1));

/** The ticks 1, 2, 5, 10, … within [low, high], with fewer where there would be many. */
function ticks(low, high) {
  const all = [];
  for (let power = -2; power <= 4; power += 1) {
    for (const digit of [1, 2, 5]) all.push(digit * 10 ** power);
  }
  const inside = all.filter((value) => value >= low && value <= high);
  return inside.length > 7 ? inside.filter((value) => /^[01.]+$/.test(String(value))) : inside;
}

const mark = ({ colour, marker }, x, y) =>
  `<path d="${markers[marker]}" fill="${colour}" transform="translate(${x} ${y})"/>`;

function drawPanel({ title, sizes, ratios }, [x0, y0]) {
  const all = ratios.flatMap(({ q1, q3 }) => [...q1, ...q3]).filter(Boolean);
  const low = Math.min(0.8, ...all) / 1.15;
  const high = Math.max(2, ...all) * 1.15;
  const left = x0 + panel.left;
  const right = x0 + panel.width - panel.right;
  const top = y0 + panel.top;
  const bottom = y0 + panel.height - panel.bottom;
  const across = Math.log(Math.max(...sizes) / Math.min(...sizes)) || 1;
  const middle = across === 1 && sizes.length === 1 ? 0.5 : 0;
  const x = (n) =>
    round(left + (middle + Math.log(n / Math.min(...sizes)) / across) * (right - left - 10) + 5);
  const y = (ratio) =>
    round(bottom - (Math.log(ratio / low) / Math.log(high / low)) * (bottom - top));
  const parts = [label(left, y0 + 18, title, ' font-weight="600"')];
  for (const tick of ticks(low, high)) {
    parts.push(line(left, y(tick), right, y(tick), tick === 1 ? '#333' : '#ddd'));
    parts.push(label(left - 5, y(tick) + 3.5, `${tick}×`, ' text-anchor="end" fill="#555"'));
  }
  for (const n of sizes) {
    parts.push(label(x(n), bottom + 15, String(n), ' text-anchor="middle" fill="#555"'));
  }
  for (const { peer, median, q1, q3 } of ratios) {
    const style = styles[peer];
    const shown = sizes.map((_, i) => i).filter((i) => median[i] !== null);
    const path = shown.map((i) => `${x(sizes[i])} ${y(median[i])}`).join('L');
    if (path) {
      parts.push(`<path d="M${path}" fill="none" stroke="${style.colour}" stroke-width="1.5"/>`);
    }
    for (const i of shown) {
      const at = x(sizes[i]);
      parts.push(
        line(at, y(q1[i]), at, y(q3[i]), style.colour, ' stroke-width="3" opacity="0.45"'),
      );
      parts.push(mark(style, at, y(median[i])));
    }
  }
  return parts.join('\n');
}

/** Draws a record as SVG. */
export function plot({ about, cases }) {
  const shown = cases
    .map((one) => ({ ...one, ratios: one.ratios.filter(({ build }) => build === 'simd') }))
    .filter(({ ratios }) => ratios.length > 0);
  const width = columns * panel.width;
  const height = header + Math.ceil(shown.length / columns) * panel.height + footer;
  const used = Object.keys(styles).filter((peer) =>
    shown.some(({ ratios }) => ratios.some((one) => one.peer === peer)),
  );
  const parts = [
    label(14, 22, 'Time of each peer ÷ time of our SIMD128 build, over n', ' font-size="15"'),
  ];
  let at = 14;
  for (const peer of used) {
    parts.push(mark(styles[peer], at + 4, 40), label(at + 13, 44, peer));
    at += 30 + 6.2 * peer.length;
  }
  shown.forEach((one, i) => {
    const corner = [(i % columns) * panel.width, header + Math.floor(i / columns) * panel.height];
    parts.push(drawPanel(one, corner));
  });
  const source = [about.machine.cpu, about.browser, about.date, about.command].join('; ');
  parts.push(label(14, height - 10, source, ' fill="#555"'));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="11" fill="#111">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n');
}
