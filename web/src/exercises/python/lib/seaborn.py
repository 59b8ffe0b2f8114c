# seaborn.heatmap as a thin name over the page's matplotlib.
import matplotlib.pyplot as _plt


def _ticks(ticks, count, labels):
    if labels is False or labels == []:
        ticks.set([])
        return
    places = [i + 0.5 for i in range(count)]
    if labels is True or labels is None or isinstance(labels, str):
        ticks.set(places, [str(i) for i in range(count)])
    elif isinstance(labels, int):
        ticks.set(places[::labels], [str(i) for i in range(0, count, labels)])
    else:
        ticks.set(places, labels)


def heatmap(
    data,
    vmin=None,
    vmax=None,
    cmap=None,
    annot=None,
    fmt=".2g",
    linewidths=0,
    cbar=True,
    square=False,
    xticklabels="auto",
    yticklabels="auto",
    ax=None,
    cbar_kws=None,
    annot_kws=None,
    linecolor=None,
    robust=False,
    center=None,
    cbar_ax=None,
    **more
):
    ax = _plt.gca() if ax is None else ax
    ax.imshow(data, vmin=vmin, vmax=vmax, **more)
    rows, cols = ax._image.shape
    # seaborn's cells begin at whole numbers: their middles lie half-way.
    ax._shift = 0.5
    _ticks(ax._x, cols, xticklabels)
    _ticks(ax._y, rows, yticklabels)
    ax._colorbar = ax._colorbar or bool(cbar)
    return ax


def set(*args, **more):
    pass


set_theme = set_style = set_context = set_palette = set


def __getattr__(name):
    raise AttributeError("sns.%s is not here; this page's seaborn knows heatmap" % name)
