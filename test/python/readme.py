#!/usr/bin/python3
"""The examples of clients/python/README.md print what they say."""

import doctest
import pathlib
import sys

from driver import drop_database, open_database
from tally import Tally
import rowser

README = pathlib.Path(rowser.__file__).parent / 'README.md'


def main():
    tally = Tally()
    # The end of a fence is no output.
    text = README.read_text('utf-8').replace('\n```\n', '\n\n')
    conn = open_database('rowser_python')
    test = doctest.DocTestParser().get_doctest(
        text, {'conn': conn}, 'README.md', str(README), 0)
    results = doctest.DocTestRunner(verbose=False).run(test)
    tally.check('README.md', results.failed, 0)
    tally.check('README.md has examples', results.attempted > 8, True)
    drop_database(conn)
    for name in rowser.__all__:
        if name not in text:
            tally.failed(f'README.md says nothing of {name}')
        else:
            tally.check(name, hasattr(rowser, name), True)
    return tally.end()


if __name__ == '__main__':
    sys.exit(main())
