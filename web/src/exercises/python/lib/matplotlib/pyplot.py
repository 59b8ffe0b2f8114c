# Records what a file draws: figures, their axes, and on these images, lines, texts and labels.
import numpy

_KNOWN = "subplots, figure, imshow, matshow, plot, text, colorbar, title, xlabel, ylabel, xticks, yticks, show"
# What changes only how a picture looks; the page has colours and sizes of its own.
_LOOKS = (
    "cmap aspect interpolation alpha origin extent norm resample filternorm rasterized zorder animated clip_on "
    "figsize dpi facecolor edgecolor linewidth linewidths lw linestyle ls color c marker markersize ms "
    "fontsize size fontweight weight fontdict fontfamily fontname family style va ha verticalalignment "
    "horizontalalignment rotation rotation_mode transform bbox pad y x loc labelpad fraction shrink orientation "
    "location anchor panchor ticks format drawedges extend spacing use_gridspec sharex sharey gridspec_kw subplot_kw "
    "constrained_layout layout tight_layout width_ratios height_ratios num clear frameon projection polar wrap "
    "markerfacecolor markeredgecolor mfc mec mew minor labels_rotation fignum"
).split()

_figures = []
_current = None


def _unknown(more, allowed=()):
    for name in more:
        if name not in _LOOKS and name not in allowed:
            raise TypeError("%s is not a parameter that this page's matplotlib knows" % name)


def _matrix(data):
    if hasattr(data, "numpy") and not hasattr(data, "_h"):
        data = data.numpy()
    # A copy: the file may change its array afterwards.
    image = numpy.array(numpy.asarray(data), dtype=float)
    if image.ndim != 2:
        raise TypeError("Invalid shape %s for image data: a picture is a matrix, rows by columns" % (image.shape,))
    return image


def _list(values):
    if hasattr(values, "tolist"):
        values = values.tolist()
    return [v.item() if hasattr(v, "item") else v for v in values]


def _numbers(values):
    if isinstance(values, (int, float)):
        values = [values]
    return numpy.array([float(v) for v in _list(values)], dtype=float)


def _words(texts):
    return [str(getattr(t, "_text", t)) for t in _list(texts)]


class _Text:
    def __init__(self, text):
        self._text = str(text)

    def get_text(self):
        return self._text

    def __getattr__(self, name):
        if name[:4] == "set_":
            return lambda *args, **more: None
        raise AttributeError("'Text' object has no attribute '%s'" % name)


class _Mappable:
    # What imshow returns: colorbar takes it.
    def __init__(self, axes):
        self.axes = axes

    def set_clim(self, vmin=None, vmax=None):
        self.axes._limits(vmin, vmax)

    def set_cmap(self, cmap):
        pass

    def get_array(self):
        return self.axes._image


class _Line:
    def __init__(self, axes):
        self.axes = axes


class _Ticks:
    # The places and texts along one axis, as they were set; nothing stands for the numbers that are there by itself.
    def __init__(self):
        self.places = None
        self.texts = None

    def set(self, places=None, texts=None):
        if places is not None:
            self.places = [float(p) for p in _list(places)]
            self.texts = None
        if texts is not None:
            texts = _words(texts)
            if self.places is None:
                raise ValueError("tick labels need places: call set_ticks first, or pass both to xticks or yticks")
            if len(texts) != len(self.places):
                raise ValueError(
                    "The number of tick locations (%d) does not match the number of labels (%d)"
                    % (len(self.places), len(texts))
                )
            self.texts = texts

    def labels(self, count, shift):
        # One text for each of the cells.
        if self.places is None:
            return [str(i) for i in range(count)]
        found = [""] * count
        for i, place in enumerate(self.places):
            cell = int(place - shift + 0.5) if place - shift > -0.5 else -1
            if 0 <= cell < count:
                found[cell] = ("%g" % place) if self.texts is None else self.texts[i]
        return found

    def objects(self):
        return [_Text(t) for t in (self.texts or [])]


class Axes:
    def __init__(self, figure, row, col):
        self.figure = figure
        self._row = row
        self._col = col
        self._visible = True
        self._bare = False
        self._clear()

    def _clear(self):
        self._image = None
        self._low = 0.0
        self._high = 1.0
        self._shift = 0.0
        self._colorbar = False
        self._title = ""
        self._names = ["", ""]
        self._scales = ["linear", "linear"]
        self._x = _Ticks()
        self._y = _Ticks()
        self._lines = []
        self._texts = []

    cla = clear = _clear

    def __getattr__(self, name):
        raise AttributeError(
            "ax.%s is not here; this page's axes know imshow, matshow, plot, text, set_title, set_xlabel, set_ylabel, "
            "set_xticks, set_yticks, set_xticklabels and set_yticklabels" % name
        )

    def imshow(self, X, cmap=None, vmin=None, vmax=None, **more):
        _unknown(more)
        if more.get("origin") == "lower":
            raise ValueError("origin='lower' is not here: the first row of a picture is at its top")
        self._image = _matrix(X)
        finite = self._image[numpy.isfinite(self._image)]
        self._low = float(finite.min()) if finite.size else 0.0
        self._high = float(finite.max()) if finite.size else 1.0
        self._limits(vmin, vmax)
        _sci(self)
        return _Mappable(self)

    def _limits(self, vmin, vmax):
        if vmin is not None:
            self._low = float(vmin)
        if vmax is not None:
            self._high = float(vmax)

    def matshow(self, Z, **more):
        return self.imshow(Z, **more)

    def plot(self, *args, **more):
        label = more.pop("label", "")
        _unknown(more)
        made = []
        args = list(args)
        while args:
            y = args.pop(0)
            x = None
            if args and not isinstance(args[0], str):
                x, y = y, args.pop(0)
            if args and isinstance(args[0], str):
                args.pop(0)
            y = _numbers(y)
            x = numpy.arange(y.size).astype(float) if x is None else _numbers(x)
            if x.size != y.size:
                raise ValueError(
                    "x and y must have same first dimension, but have shapes %s and %s" % (x.shape, y.shape)
                )
            self._lines.append({"x": x, "y": y, "label": "" if label is None else str(label)})
            made.append(_Line(self))
        return made

    def _logarithmic(self, *args, scales=(), **more):
        for axis in scales:
            self._scales[axis] = "log"
        return self.plot(*args, **more)

    def semilogx(self, *args, **more):
        return self._logarithmic(*args, scales=(0,), **more)

    def semilogy(self, *args, **more):
        return self._logarithmic(*args, scales=(1,), **more)

    def loglog(self, *args, **more):
        return self._logarithmic(*args, scales=(0, 1), **more)

    def text(self, x, y, s, **more):
        _unknown(more)
        self._texts.append({"x": float(x), "y": float(y), "text": str(s)})
        return _Text(s)

    def set_title(self, label, **more):
        _unknown(more)
        self._title = str(label)
        return _Text(label)

    def get_title(self):
        return self._title

    def set_xlabel(self, xlabel, **more):
        _unknown(more)
        self._names[0] = str(xlabel)

    def set_ylabel(self, ylabel, **more):
        _unknown(more)
        self._names[1] = str(ylabel)

    def set_xticks(self, ticks, labels=None, **more):
        _unknown(more)
        self._x.set(ticks, labels)

    def set_yticks(self, ticks, labels=None, **more):
        _unknown(more)
        self._y.set(ticks, labels)

    def set_xticklabels(self, labels, **more):
        _unknown(more)
        self._x.set(None, labels)

    def set_yticklabels(self, labels, **more):
        _unknown(more)
        self._y.set(None, labels)

    def get_xticks(self):
        return numpy.array(self._x.places or [])

    def get_yticks(self):
        return numpy.array(self._y.places or [])

    def get_xticklabels(self):
        return self._x.objects()

    def get_yticklabels(self):
        return self._y.objects()

    def set_xscale(self, value, **more):
        self._scales[0] = value

    def set_yscale(self, value, **more):
        self._scales[1] = value

    def set(self, **more):
        for name, value in more.items():
            getattr(self, "set_" + name)(value)

    def axis(self, which=None):
        if which in ("off", False):
            self._bare = True

    def set_axis_off(self):
        self._bare = True

    def set_visible(self, visible):
        self._visible = bool(visible)

    def remove(self):
        self._visible = False

    def get_figure(self):
        return self.figure

    def tick_params(self, **more):
        pass

    def set_aspect(self, *args, **more):
        pass

    def set_xlim(self, *args, **more):
        pass

    def set_ylim(self, *args, **more):
        pass

    def grid(self, *args, **more):
        pass

    def legend(self, *args, **more):
        pass

    def margins(self, *args, **more):
        pass

    def invert_yaxis(self):
        raise ValueError("invert_yaxis is not here: the first row of a picture is at its top")

    def _told(self):
        told = {
            "row": self._row,
            "col": self._col,
            "title": self._title,
            "x_name": self._names[0],
            "y_name": self._names[1],
        }
        if self._image is None:
            told.update(
                {
                    "lines": self._lines,
                    "texts": self._texts,
                    "x_scale": self._scales[0],
                    "y_scale": self._scales[1],
                }
            )
            return told
        rows, cols = self._image.shape
        told.update(
            {
                "image": self._image,
                "x_labels": [] if self._bare else self._x.labels(cols, self._shift),
                "y_labels": [] if self._bare else self._y.labels(rows, self._shift),
                "low": self._low,
                "high": self._high,
                "colorbar": self._colorbar,
                # Places are counted from the middle of the first cell.
                "texts": [
                    {"x": t["x"] - self._shift, "y": t["y"] - self._shift, "text": t["text"]} for t in self._texts
                ],
            }
        )
        return told

    def _drawn(self):
        return self._visible and (self._image is not None or len(self._lines) > 0)


class _AxesArray:
    # The grid of axes that subplots returns: NumPy's arrays here hold numbers only.
    def __init__(self, axes, shape):
        self._axes = axes
        self.shape = shape
        self.ndim = len(shape)
        self.size = len(axes)

    @property
    def flat(self):
        return self.flatten()

    def flatten(self, order="C"):
        return _AxesArray(self._axes, (self.size,))

    def ravel(self, order="C"):
        return self.flatten()

    def tolist(self):
        return list(self)

    def reshape(self, *shape):
        shape = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
        shape = [int(n) for n in shape]
        known = 1
        for n in shape:
            known *= n if n >= 0 else 1
        shape = tuple([n if n >= 0 else self.size // known for n in shape])
        total = 1
        for n in shape:
            total *= n
        if total != self.size:
            raise ValueError("cannot reshape array of size %d into shape %s" % (self.size, shape))
        return _AxesArray(self._axes, shape)

    def __len__(self):
        return self.shape[0]

    def __iter__(self):
        for i in range(self.shape[0]):
            yield self[i]

    def __getitem__(self, key):
        if not isinstance(key, tuple):
            key = (key,)
        if len(key) > self.ndim:
            raise IndexError("too many indices for array: array is %d-dimensional" % self.ndim)
        first, rest = key[0], key[1:]
        inner = self.shape[1:]
        step = 1
        for n in inner:
            step *= n
        if isinstance(first, slice):
            chosen = list(range(self.shape[0]))[first]
            parts = [self._part(i, step, inner) for i in chosen]
            if rest:
                parts = [p[rest] for p in parts]
            flat = []
            for p in parts:
                flat += p._axes if isinstance(p, _AxesArray) else [p]
            shape = parts[0].shape if parts and isinstance(parts[0], _AxesArray) else ()
            return _AxesArray(flat, (len(parts),) + shape)
        i = int(first)
        if not -self.shape[0] <= i < self.shape[0]:
            raise IndexError("index %d is out of bounds for axis 0 with size %d" % (i, self.shape[0]))
        part = self._part(i % self.shape[0], step, inner)
        return part[rest] if rest else part

    def _part(self, i, step, inner):
        if not inner:
            return self._axes[i]
        return _AxesArray(self._axes[i * step : (i + 1) * step], inner)


def _with_axes(own):
    # np.array(axes), np.atleast_1d(axes) and np.ravel(axes) are how grids of one row are often flattened.
    def make(x, *args, **more):
        if isinstance(x, _AxesArray):
            return x
        if isinstance(x, Axes):
            return _AxesArray([x], (1,))
        if isinstance(x, (list, tuple)) and len(x) and isinstance(x[0], (Axes, _AxesArray)):
            flat = []
            for one in x:
                flat += one._axes if isinstance(one, _AxesArray) else [one]
            return _AxesArray(flat, (len(flat),))
        return own(x, *args, **more)

    return make


if not hasattr(numpy, "_of_axes"):
    numpy._of_axes = True
    numpy.array = _with_axes(numpy.array)
    numpy.asarray = _with_axes(numpy.asarray)
    numpy.atleast_1d = _with_axes(numpy.atleast_1d)


class Figure:
    def __init__(self):
        self._title = ""
        self._axes = []
        self._at = None
        self._mappable = None
        self._rows = 1
        self._cols = 1

    def __getattr__(self, name):
        raise AttributeError(
            "fig.%s is not here; this page's figures know add_subplot, subplots, colorbar, suptitle and tight_layout" % name
        )

    @property
    def axes(self):
        return list(self._axes)

    def _add(self, rows, cols, at):
        self._rows = max(self._rows, rows)
        self._cols = max(self._cols, cols)
        row, col = divmod(at, cols)
        for ax in self._axes:
            if ax._row == row and ax._col == col:
                self._at = ax
                return ax
        ax = Axes(self, row, col)
        self._axes.append(ax)
        self._at = ax
        return ax

    def add_subplot(self, *args, **more):
        _unknown(more)
        if len(args) == 1:
            rows, cols, at = args[0] // 100, args[0] // 10 % 10, args[0] % 10
        elif len(args) == 3:
            rows, cols, at = args
        else:
            rows, cols, at = 1, 1, 1
        if not 1 <= at <= rows * cols:
            raise ValueError("num must be an integer with 1 <= num <= %d, not %d" % (rows * cols, at))
        return self._add(int(rows), int(cols), int(at) - 1)

    def subplots(self, nrows=1, ncols=1, squeeze=True, **more):
        _unknown(more)
        if not 1 <= nrows * ncols <= 144:
            raise ValueError("a grid of %d by %d pictures: from 1 to 144 can be shown" % (nrows, ncols))
        axes = [self._add(nrows, ncols, at) for at in range(nrows * ncols)]
        if axes:
            self._at = axes[0]
        if squeeze and len(axes) == 1:
            return axes[0]
        if squeeze and (nrows == 1 or ncols == 1):
            return _AxesArray(axes, (len(axes),))
        return _AxesArray(axes, (nrows, ncols))

    def gca(self):
        return self._at or self._add(1, 1, 0)

    def sca(self, ax):
        self._at = ax

    def delaxes(self, ax):
        ax.remove()

    def colorbar(self, mappable=None, ax=None, cax=None, label="", **more):
        _unknown(more)
        mappable = mappable or self._mappable
        if mappable is None:
            raise RuntimeError("No mappable was found to use for colorbar creation: draw with imshow first")
        beside = [mappable.axes]
        if isinstance(ax, Axes):
            beside = [ax]
        elif ax is not None:
            beside = list(_AxesArray.flatten(ax)) if isinstance(ax, _AxesArray) else list(ax)
        for one in beside:
            one._colorbar = True
        return _Colorbar()

    def suptitle(self, t, **more):
        _unknown(more)
        self._title = str(t)

    def tight_layout(self, **more):
        pass

    def subplots_adjust(self, **more):
        pass

    def autofmt_xdate(self, **more):
        pass

    def set_size_inches(self, *args):
        pass

    def show(self):
        show()

    def savefig(self, *args, **more):
        savefig()

    def _told(self):
        axes = sorted([a for a in self._axes if a._drawn()], key=lambda a: (a._row, a._col))
        return {
            "title": self._title,
            "rows": self._rows,
            "cols": self._cols,
            "axes": [a._told() for a in axes],
        }


class _Colorbar:
    def set_label(self, label, **more):
        pass

    def set_ticks(self, *args, **more):
        pass

    ax = None


def _sci(axes):
    axes.figure._mappable = _Mappable(axes)


def gcf():
    return _current or figure()


def figure(num=None, **more):
    global _current
    _unknown(more)
    if len(_figures) >= 40:
        raise RuntimeError("more than 40 figures: this page shows no more of one run")
    _current = Figure()
    _figures.append(_current)
    return _current


def subplots(nrows=1, ncols=1, squeeze=True, **more):
    made = figure()
    return made, made.subplots(int(nrows), int(ncols), squeeze=squeeze, **more)


def subplot(*args, **more):
    return gcf().add_subplot(*args, **more)


def gca():
    return gcf().gca()


def sca(ax):
    global _current
    _current = ax.figure
    _current.sca(ax)


def matshow(A, fignum=None, **more):
    # As in matplotlib, this makes a figure of its own.
    made = gcf() if fignum == 0 else figure()
    return made.gca().matshow(A, **more)


def colorbar(mappable=None, cax=None, ax=None, **more):
    return gcf().colorbar(mappable, ax=ax, **more)


def suptitle(t, **more):
    gcf().suptitle(t, **more)


def _of_axes(name):
    def call(*args, **more):
        return getattr(gca(), name)(*args, **more)

    return call


imshow = _of_axes("imshow")
plot = _of_axes("plot")
semilogx = _of_axes("semilogx")
semilogy = _of_axes("semilogy")
loglog = _of_axes("loglog")
text = _of_axes("text")
title = _of_axes("set_title")
xlabel = _of_axes("set_xlabel")
ylabel = _of_axes("set_ylabel")
xscale = _of_axes("set_xscale")
yscale = _of_axes("set_yscale")
axis = _of_axes("axis")
grid = _of_axes("grid")
legend = _of_axes("legend")
xlim = _of_axes("set_xlim")
ylim = _of_axes("set_ylim")
tick_params = _of_axes("tick_params")


def xticks(ticks=None, labels=None, **more):
    _unknown(more)
    gca()._x.set(ticks, labels)
    return gca().get_xticks(), gca().get_xticklabels()


def yticks(ticks=None, labels=None, **more):
    _unknown(more)
    gca()._y.set(ticks, labels)
    return gca().get_yticks(), gca().get_yticklabels()


def setp(objects, *args, **more):
    pass


def tight_layout(**more):
    pass


def subplots_adjust(**more):
    pass


def show(*args, **more):
    # What comes next begins a new figure.
    global _current
    _current = None


def close(fig=None):
    # What was drawn stays in view; only the next call begins a new figure.
    show()


def clf():
    made = gcf()
    made._axes = []
    made._at = None


def cla():
    gca()._clear()


def savefig(*args, **more):
    raise RuntimeError("files are not here; the picture appears beside your code, and can be saved there")


rcParams = {}


class _Style:
    def use(self, *args):
        pass


style = _Style()


def __getattr__(name):
    raise AttributeError("plt.%s is not here; this page's matplotlib knows %s" % (name, _KNOWN))


def _forget():
    global _current
    _figures.clear()
    _current = None


def _told():
    # Only figures on which something was drawn.
    return [f for f in [figure._told() for figure in _figures] if f["axes"]]
