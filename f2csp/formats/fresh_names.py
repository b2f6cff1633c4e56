"""Names that are not taken yet, for the formats that do not allow every name of F2CSP."""


def fresh_name(base: str, taken: set[str], numbers: dict[str, int]) -> str:
    """The base, with a number from 2 if that is taken; adds the name to those that are taken.

    The numbers, one dictionary for all calls, go on from one call to the next: a thousand similar names take linear
    time.
    """
    name = base
    while name in taken:
        numbers[base] = numbers.get(base, 1) + 1
        name = f"{base}_{numbers[base]}"
    taken.add(name)
    return name
