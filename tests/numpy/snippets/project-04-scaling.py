def experiment_scaling_factor(d_k_values=[16, 64, 256, 1024]):
    """
    Test impact of scaling across different d_k values.

    Measure:
        - Softmax saturation (max value approaching 1.0)
        - Gradient magnitude
        - Entropy of attention distribution
    """
    # YOUR CODE HERE
    pass
