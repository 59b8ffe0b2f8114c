# The small part of matplotlib that attention pictures need. Nothing is drawn here: calls are recorded, and the page
# draws what they recorded with its own figures.


def use(backend=None, **more):
    pass


rcParams = {}
