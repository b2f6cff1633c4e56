"""Documents of daily work: tables, logs, programs, data, prose, numbers."""

import base64
import hashlib
from collections.abc import Iterator
from random import Random

from tests.door.texts import Family, Text, aligned, html, joined, latex, markdown, random_matrix

_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_GOODS = "apples pears plums figs dates limes nuts kiwis melons".split()

_PI = "141592653589793238462643383279502884197169399375105820974944592307816406286208998628"
_E = "718281828459045235360287471352662497757247093699959574966967627724076630353547594571"
_ROOT = "414213562373095048801688724209698078569671875376948073176679737990732478462107038850"


def tables(rng: Random) -> Iterator[Text]:
    for n in (4, 6, 9):
        stock = random_matrix(rng, n, n, 1, n)
        stock[0][:2] = [3, 3]
        rows = [[name, *row] for name, row in zip(_GOODS, stock, strict=False)]
        head = ["goods", *_MONTHS[:n]]
        yield Text(f"stock-{n}.md", markdown(head, rows), "a table of numbers in Markdown")
        yield Text(f"stock-{n}.csv", joined([head, *rows], ","), "a table of numbers as CSV")
        yield Text(f"stock-{n}.tsv", joined([head, *rows], "\t"), "a table of numbers as TSV")
        yield Text(f"stock-{n}.html", html([head, *rows]), "a table of numbers in HTML")
        yield Text(f"stock-{n}.tex", latex([head, *rows]), "a table of numbers in LaTeX")
        yield Text(f"stock-{n}.txt", aligned([head, *rows], 8), "a table of numbers in columns")
    money = [[f"{rng.uniform(1, 99):.2f}" for _ in range(4)] for _ in range(4)]
    yield Text("prices.txt", joined(money), "prices")
    yield Text("prices.html", html(money), "prices in HTML")
    yield Text("small.csv", joined(random_matrix(rng, 12, 3, 0, 5), ","), "small numbers as CSV, 12 rows of 3")
    yield Text(
        "years.txt", joined([[year, rng.randint(1, 9), rng.randint(1, 9)] for year in range(2010, 2020)]), "years"
    )


def logs(rng: Random) -> Iterator[Text]:
    lines = [
        f"2024-03-{day:02} {rng.randint(0, 23):02}:{rng.randint(0, 59):02} INFO {rng.randint(1, 9)} jobs"
        for day in range(1, 10)
    ]
    yield Text("jobs.log", "\n".join(lines) + "\n", "a log with dates")
    yield Text(
        "access.log",
        "".join(f'10.0.0.{i} - - [0{i}/Mar/2024] "GET /{i}" 200 {i * 37}\n' for i in range(1, 10)),
        "a log",
    )
    yield Text(
        "ping.log",
        "".join(f"64 bytes from 10.0.0.1: icmp_seq={i} ttl=64 time=0.{i}3 ms\n" for i in range(1, 10)),
        "ping",
    )
    yield Text("progress.log", "".join(f"[{'#' * i}{'.' * (9 - i)}] {i}/9\n" for i in range(10)), "progress of a job")
    yield Text(
        "epochs.log", "".join(f"{i} {1 / i:.4f} {1 - 1 / (i + 1):.4f}\n" for i in range(1, 10)), "a log of epochs"
    )
    yield Text(
        "dates.txt",
        "".join(f"{rng.randint(1, 28):02}.{rng.randint(1, 12):02}.20{rng.randint(10, 24)}\n" for _ in range(9)),
        "dates",
    )
    yield Text(
        "dates-iso.txt",
        "".join(f"20{rng.randint(10, 24)}-0{rng.randint(1, 9)}-1{rng.randint(0, 9)}\n" for _ in range(9)),
        "dates",
    )
    yield Text(
        "births.txt",
        "".join(f"{rng.randint(1, 28)} {rng.randint(1, 12)} {rng.randint(1950, 2000)}\n" for _ in range(9)),
        "dates",
    )


def numbers(rng: Random) -> Iterator[Text]:
    for name, digits in (("pi", _PI), ("e", _E), ("root", _ROOT)):
        yield Text(f"{name}-81.txt", digits[:81] + "\n", "81 digits of a number")
        yield Text(f"{name}-16.txt", digits[:16] + "\n", "16 digits of a number")
        rows = [digits[i : i + 9] for i in range(0, 81, 9)]
        yield Text(f"{name}-rows.txt", "\n".join(rows) + "\n", "81 digits of a number in rows")
        yield Text(f"{name}-blanks.txt", " ".join(digits[:81]) + "\n", "81 digits of a number with blanks")
    primes = [n for n in range(2, 500) if all(n % d for d in range(2, n))]
    yield Text("primes.txt", " ".join(map(str, primes[:25])) + "\n", "primes on a line")
    yield Text("primes-lines.txt", "".join(f"{prime}\n" for prime in primes[:16]), "primes, one a line")
    yield Text("primes-rows.txt", joined([primes[i : i + 9] for i in range(0, 81, 9)]), "primes in rows of nine")
    for n in (6, 9):
        draws = [sorted(rng.sample(range(1, 50), n)) for _ in range(n)]
        yield Text(f"lottery-{n}.txt", joined(draws), "numbers of a lottery")
        yield Text(f"lottery-{n}.csv", joined(draws, ","), "numbers of a lottery as CSV")
    small = [sorted(rng.sample(range(1, 10), 5)) for _ in range(9)]
    yield Text("keno.txt", joined(small), "five of nine numbers in each draw")
    phones = [f"+351 9{rng.randint(10, 99)} {rng.randint(100, 999)} {rng.randint(100, 999)}" for _ in range(9)]
    yield Text("phones.txt", "\n".join(phones) + "\n", "numbers of telephones")
    yield Text(
        "phones-digits.txt",
        "".join(f"9{rng.randint(10**7, 10**8 - 1)}\n" for _ in range(9)),
        "nine numbers of nine digits",
    )
    codes = [f"{rng.randint(10**12, 10**13 - 1)}" for _ in range(9)]
    yield Text("barcodes.txt", "\n".join(codes) + "\n", "barcodes")
    yield Text("zip.txt", "".join(f"{rng.randint(10000, 99999)}\n" for _ in range(5)), "five codes of five digits")
    yield Text("floats.txt", joined([[f"{rng.random():.3f}" for _ in range(4)] for _ in range(4)]), "floats")
    yield Text(
        "floats-dots.txt", joined([[f".{rng.randint(1, 9)}" for _ in range(9)] for _ in range(9)]), "floats such as .5"
    )
    yield Text(
        "signed.txt", joined([[f"{rng.randint(-9, 9):+}" for _ in range(6)] for _ in range(6)]), "numbers with signs"
    )


def encoded(rng: Random) -> Iterator[Text]:
    data = bytes(rng.randrange(256) for _ in range(64))
    rows = [data[i : i + 8].hex(" ") for i in range(0, 64, 8)]
    yield Text("dump.hex", "".join(f"{8 * i:08x}  {row}\n" for i, row in enumerate(rows)), "a dump in hexadecimal")
    yield Text("bytes.hex", "\n".join(rows) + "\n", "bytes in hexadecimal")
    yield Text(
        "bytes-16.hex", "".join(f"{data[i : i + 8].hex()}\n" for i in range(0, 64, 8)) * 2, "16 rows of 16 digits"
    )
    yield Text("data.b64", base64.encodebytes(data).decode(), "base64")
    yield Text(
        "sums.md5",
        "".join(f"{hashlib.md5(bytes([i]), usedforsecurity=False).hexdigest()}  {i}.txt\n" for i in range(9)),
        "checksums",
    )
    yield Text("sum.sha256", hashlib.sha256(b"f2csp").hexdigest() + "\n", "a checksum of 64 digits")
    for n in (16, 36, 64, 81):
        bits = "1110" + "".join(rng.choice("01") for _ in range(n - 4))
        yield Text(f"bits-{n}.txt", bits + "\n", f"{n} bits on a line")
        mixed = "0001" + "".join(rng.choice("0123") for _ in range(n - 4))
        yield Text(f"quaternary-{n}.txt", mixed + "\n", f"{n} digits from 0 to 3 on a line")
    letters = "".join(rng.choice("ACGT") for _ in range(81))
    yield Text("dna.txt", letters + "\n", "81 bases of DNA")
    yield Text("dna.fasta", f">seq1\n{letters[:40]}\n{letters[40:]}\n>seq2\n{letters[9:49]}\n", "DNA in FASTA")
    yield Text("rule.txt", "Chapter 1\n" + "-" * 81 + "\nIt begins.\n", "a rule of 81 hyphens")


def tiny(_: Random) -> Iterator[Text]:
    texts = [
        "",
        "\n",
        "   \n\t\n",
        "\r\n\r\n",
        "\ufeff",
        "1",
        "1\n",
        "0\n",
        "4\n",
        "9\n",
        "9",
        ".",
        "x",
        "?",
        "-",
        "foo",
        "1\nfoo",
    ]
    texts += [
        "foo\n1",
        "a b",
        "1 2",
        "1 2 3",
        "1\n2\n3",
        "4 4\n",
        "9 9\n",
        "9\n0x\n",
        "1 1",
        "hello world",
        "...",
        "1.",
        "#",
        "# 9",
    ]
    texts += [
        "1 2\n3 4",
        "12\n34",
        "4\n.",
        "9\n1\n",
        "1 2 3\n4 5 6\n7 8 9\n",
        "123\n456\n789\n",
        "a\nb\nc\nd\n",
        "< > <",
        "1 < 2",
        "0 1",
        "01",
    ]
    for i, text in enumerate(texts):
        yield Text(f"tiny-{i:02}.txt", text, f"next to nothing: {text!r}")


FAMILIES: tuple[Family, ...] = (tables, logs, numbers, encoded, tiny)
