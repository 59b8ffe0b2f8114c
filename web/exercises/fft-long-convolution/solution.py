import numpy as np


def fft(re, im, sign):
    size = re.size
    if size == 1:
        return re, im
    half = size // 2
    even_re, even_im = fft(re[0::2], im[0::2], sign)
    odd_re, odd_im = fft(re[1::2], im[1::2], sign)
    angle = sign * 2 * np.pi * np.arange(half) / size
    c, s = np.cos(angle), np.sin(angle)
    turned_re = c * odd_re - s * odd_im
    turned_im = c * odd_im + s * odd_re
    return (
        np.concatenate([even_re + turned_re, even_re - turned_re]),
        np.concatenate([even_im + turned_im, even_im - turned_im]),
    )


def fft_long_convolution(x, h):
    n = x.size
    size = 1
    while size < 2 * n:
        size *= 2
    # Zeros behind both, so that nothing comes around from the end.
    zero = np.zeros(size)
    padded_x, padded_h = np.zeros(size), np.zeros(size)
    padded_x[:n] = x
    padded_h[:n] = h
    x_re, x_im = fft(padded_x, zero, -1)
    h_re, h_im = fft(padded_h, zero, -1)
    back, _ = fft(x_re * h_re - x_im * h_im, x_re * h_im + x_im * h_re, 1)
    return back[:n] / size
