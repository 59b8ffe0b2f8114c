def simple_feature_map(x):
    return x
