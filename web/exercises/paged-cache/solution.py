import numpy as np


def paged_cache(operations, blocks, block_size, sequences):
    done = np.zeros(len(operations))
    holders = np.zeros(blocks)
    tables, lengths = {}, {}
    copies = 0

    def take(table):
        block = int(np.argmax(holders == 0))  # the lowest free one
        holders[block] = 1
        table.append(block)

    for at in range(len(operations)):
        action, s, number = [int(one) for one in operations[at]]
        if action == 0:
            table, length = tables.get(s, []), lengths.get(s, 0)
            shared = length % block_size > 0 and holders[table[-1]] > 1
            new = -(-(length + number) // block_size) - len(table)
            needed = new + shared
            if needed > (holders == 0).sum():
                continue
            if shared:
                # The others keep the block as it is; this one gets a copy to write into.
                copies += 1
                holders[table[-1]] -= 1
                table.pop()
                take(table)
            for _ in range(new):
                take(table)
            tables[s], lengths[s] = table, length + number
        elif action == 1:
            if s not in tables or number in tables:
                continue
            tables[number], lengths[number] = list(tables[s]), lengths[s]
            for block in tables[s]:
                holders[block] += 1
        else:
            if s not in tables:
                continue
            for block in tables[s]:
                holders[block] -= 1
            del tables[s], lengths[s]
        done[at] = 1

    shown = np.full((sequences, blocks), -1.0)
    for s in tables:
        shown[s, :len(tables[s])] = tables[s]
    return done, shown, holders, copies
