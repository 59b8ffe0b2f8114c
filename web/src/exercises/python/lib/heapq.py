# The algorithm is CPython's, so that heaps lie in memory as there.


def _down(heap, start, pos):
    new = heap[pos]
    while pos > start:
        parent = (pos - 1) >> 1
        if new < heap[parent]:
            heap[pos] = heap[parent]
            pos = parent
            continue
        break
    heap[pos] = new


def _up(heap, pos):
    end = len(heap)
    start = pos
    new = heap[pos]
    child = 2 * pos + 1
    while child < end:
        right = child + 1
        if right < end and not heap[child] < heap[right]:
            child = right
        heap[pos] = heap[child]
        pos = child
        child = 2 * pos + 1
    heap[pos] = new
    _down(heap, start, pos)


def heappush(heap, item):
    heap.append(item)
    _down(heap, 0, len(heap) - 1)


def heappop(heap):
    last = heap.pop()
    if heap:
        first = heap[0]
        heap[0] = last
        _up(heap, 0)
        return first
    return last


def heapreplace(heap, item):
    first = heap[0]
    heap[0] = item
    _up(heap, 0)
    return first


def heappushpop(heap, item):
    if heap and heap[0] < item:
        item, heap[0] = heap[0], item
        _up(heap, 0)
    return item


def heapify(x):
    for i in range(len(x) // 2 - 1, -1, -1):
        _up(x, i)


def nlargest(n, iterable, key=None):
    return sorted(iterable, key=key, reverse=True)[: max(n, 0)]


def nsmallest(n, iterable, key=None):
    return sorted(iterable, key=key)[: max(n, 0)]


def merge(*parts, key=None, reverse=False):
    rows = []
    for p in parts:
        rows.extend(p)
    return iter(sorted(rows, key=key, reverse=reverse))
