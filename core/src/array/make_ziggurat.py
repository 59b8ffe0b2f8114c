#!/usr/bin/env python3
"""Prints ziggurat.inc: NumPy's ziggurat tables, out of the library that NumPy ships for C.

They cannot be computed again bit by bit, and every bit counts for the stream.
    python3 make_ziggurat.py > ziggurat.inc
"""
import os, struct, subprocess, sys, tempfile
import numpy

archive = os.path.join(os.path.dirname(numpy.__file__), "random/lib/libnpyrandom.a")
with tempfile.TemporaryDirectory() as folder:
    subprocess.run(["ar", "x", archive, "distributions.o"], check=True, cwd=folder)
    name = os.path.join(folder, "distributions.o")
    symbols = subprocess.run(["objdump", "-t", name], check=True, capture_output=True, text=True).stdout
    rodata = os.path.join(folder, "rodata")
    subprocess.run(["objcopy", "-O", "binary", "-j", ".rodata", name, rodata], check=True)
    data = open(rodata, "rb").read()

where = {line.split()[-1]: int(line.split()[0], 16) for line in symbols.splitlines() if ".rodata" in line}
print("""// NumPy's tables of the ziggurats of the normal and the exponential distribution, made by
// make_ziggurat.py. As in NumPy: widths, bounds and heights of 256 layers; doubles are given by their
// bits.
//
// Copyright (c) 2005-2022, NumPy Developers. All rights reserved.
// Redistribution and use in source and binary forms, with or without modification, are permitted
// provided that the following conditions are met:
// * Redistributions of source code must retain the above copyright notice, this list of conditions
//   and the following disclaimer.
// * Redistributions in binary form must reproduce the above copyright notice, this list of conditions
//   and the following disclaimer in the documentation and/or other materials provided with the
//   distribution.
// * Neither the name of the NumPy Developers nor the names of any contributors may be used to endorse
//   or promote products derived from this software without specific prior written permission.
// THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR
// IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND
// FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT OWNER OR
// CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
// DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE,
// DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER
// IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF
// THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.""")
tables = {
    "wi_double": "kWidths",
    "ki_double": "kBounds",
    "fi_double": "kHeights",
    "we_double": "kExponentialWidths",
    "ke_double": "kExponentialBounds",
    "fe_double": "kExponentialHeights",
}
for symbol, constant in tables.items():
    words = struct.unpack_from("<256Q", data, where[symbol])
    print(f"constexpr std::uint64_t {constant}[256] = {{")
    for i in range(0, 256, 4):
        print("    " + " ".join(f"0x{word:016x}," for word in words[i : i + 4]))
    print("};")
