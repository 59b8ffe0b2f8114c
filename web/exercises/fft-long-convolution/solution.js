function fft(re, im, sign) {
  const size = re.length;
  if (size === 1) return [re, im];
  const half = size / 2;
  const pick = (list, first) => list.filter((_, at) => at % 2 === first);
  const [evenRe, evenIm] = fft(pick(re, 0), pick(im, 0), sign);
  const [oddRe, oddIm] = fft(pick(re, 1), pick(im, 1), sign);
  const [outRe, outIm] = [new Array(size).fill(0), new Array(size).fill(0)];
  for (let k = 0; k < half; k++) {
    const angle = (sign * 2 * Math.PI * k) / size;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const turnedRe = c * oddRe[k] - s * oddIm[k];
    const turnedIm = c * oddIm[k] + s * oddRe[k];
    outRe[k] = evenRe[k] + turnedRe;
    outIm[k] = evenIm[k] + turnedIm;
    outRe[k + half] = evenRe[k] - turnedRe;
    outIm[k + half] = evenIm[k] - turnedIm;
  }
  return [outRe, outIm];
}

function fftLongConvolution(x, h) {
  const n = x.cols;
  let size = 1;
  while (size < 2 * n) size *= 2;
  // Zeros behind both, so that nothing comes around from the end.
  const padded = (list) => Array.from({ length: size }, (_, t) => (t < n ? list.get(0, t) : 0));
  const zero = new Array(size).fill(0);
  const [xRe, xIm] = fft(padded(x), zero, -1);
  const [hRe, hIm] = fft(padded(h), zero, -1);
  const re = xRe.map((a, k) => a * hRe[k] - xIm[k] * hIm[k]);
  const im = xRe.map((a, k) => a * hIm[k] + xIm[k] * hRe[k]);
  const [back] = fft(re, im, 1);
  return Matrix.from(back.slice(0, n).map((entry) => entry / size));
}
