"""Which functions of a program common inputs execute, in an order that places those of the same inputs next to each other."""
import re

import callgrind


def costs(text):
    """Returns the instructions that each function itself executed, by its symbol, from callgrind's output."""
    names, found, current, is_call = {}, {}, None, False
    for line in text.splitlines():
        if named := re.match(r"(c?)fn=\((\d+)\)(?: (.*))?", line):
            if named[3]:
                # Callgrind numbers the levels of a recursion.
                names[named[2]] = re.sub(r"'\d+$", "", named[3])
            if not named[1]:
                current = names.get(named[2])
        elif line.startswith("calls="):
            is_call = True
        elif current and re.match(r"[\d+*-]", line):
            # The line after a call has the cost of what was called.
            if not is_call:
                found[current] = found.get(current, 0) + int(line.split()[1])
            is_call = False
    return found


def order(weir, work, commands):
    """Returns the symbols that commands execute: those of the first command first, and the most executed ones of each first."""
    program, known = callgrind.stripped(weir, work / "stripped"), {}
    for number, words in enumerate(commands):
        profile = work / f"{number}.callgrind"
        callgrind.run(program, words, profile, "--demangle=no")
        found = costs(profile.read_text(errors="replace"))
        for symbol in sorted(found, key=lambda symbol: (-found[symbol], symbol)):
            if not symbol.startswith("0x"):
                known.setdefault(symbol)
    return list(known)
