import math
import numpy as np


def names():
    """What every expression finds: made anew for each."""
    r = np.random.RandomState(0)
    return dict(
        np=np,
        math=math,
        A=np.arange(12.0).reshape(3, 4),
        B=np.array([[2.0, -1.0, 0.5, 3.0], [0.0, 4.0, -2.5, 1.0], [1.0, 1.0, 7.0, -3.0]]),
        I=np.arange(24).reshape(2, 3, 4),
        v=np.array([3.0, 1.0, 2.0, -5.0]),
        k=np.array([4, 2, 9, 2, 7]),
        S=np.array([[4.0, 1.0, 0.0], [1.0, 3.0, -1.0], [0.0, -1.0, 2.0]]),
        m=np.array([[True, False, True, True], [False, False, True, False], [True, True, True, True]]),
        f=np.linspace(0, 1, 5).astype(np.float32),
        z=np.array([1.0, np.nan, -np.inf, np.inf, 0.0]),
        Q=r.randn(6, 4),
        K=r.randn(6, 4),
        V=r.randn(6, 3),
    )
