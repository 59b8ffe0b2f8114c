import warnings

_said = []


class autocast:
    # Mixed precision: in PyTorch, products in the block are computed in 16 bits. Here is no such type, and the block
    # says so once instead of pretending.
    _name = "torch.autocast"

    def __init__(self, device_type="cuda", dtype=None, enabled=True, cache_enabled=None):
        self.device = device_type
        self.enabled = enabled

    def __enter__(self):
        if self.enabled and (self._name, self.device) not in _said:
            _said.append((self._name, self.device))
            if self.device == "cpu":
                why = "would compute in bfloat16, and this small part of torch has no 16 bits"
            else:
                why = "casts on a GPU, and there is none here"
            warnings.warn("%s %s: this block runs in float32, as it would without it" % (self._name, why))
        return self

    def __exit__(self, *args):
        return False

    def __call__(self, f):
        def inside(*args, **more):
            with self:
                return f(*args, **more)

        return inside


def __getattr__(name):
    raise AttributeError("torch.amp.%s is not here: nothing is trained, and nothing is cast" % name)
