"""Counts checks; the last line is "N passed, N failed"."""

LONGEST = 300


class Tally:
    def __init__(self):
        self.counts = [0, 0]

    def check(self, name, found, wanted):
        """Count whether found is wanted."""
        if found == wanted and type(found) is type(wanted):
            self.counts[0] += 1
            return
        if isinstance(found, list) and isinstance(wanted, list):
            for i, (a, b) in enumerate(zip(found, wanted)):
                if a != b:
                    found, wanted = (i, a), (i, b)
                    break
        self.failed(f'{name}: {str(found)[:LONGEST]!r} '
                    f'is not {str(wanted)[:LONGEST]!r}')

    def failed(self, message):
        self.counts[1] += 1
        print(f'FAILED: {message}')

    def end(self):
        print('{} passed, {} failed'.format(*self.counts))
        return int(self.counts[1] > 0)
