from torch import amp


class autocast(amp.autocast):
    _name = "torch.cuda.amp.autocast (today: torch.amp.autocast('cuda'))"

    def __init__(self, enabled=True, dtype=None, cache_enabled=True):
        super().__init__("cuda", dtype, enabled, cache_enabled)


def __getattr__(name):
    return getattr(amp, name)
