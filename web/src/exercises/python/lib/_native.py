# MicroPython's own builtins, for modules that ask them often. `_run.py` puts functions of `_python.py` in their place
# afterwards, which do what CPython does and take longer.
isinstance = isinstance
issubclass = issubclass
hasattr = hasattr
getattr = getattr
sorted = sorted
zip = zip
sum = sum
pow = pow
divmod = divmod
reversed = reversed
repr = repr
