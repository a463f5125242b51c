"""Reads and writes .npy of float32 without NumPy, which a test machine may lack."""
import ast
import struct
import sys


def write(path, shape, values, descr="<f4", code="f"):
    shape_text = "(" + "".join(f"{extent}," for extent in shape) + ")"
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape_text}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack(f"<{len(values)}{code}", *values))


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10:10 + length].decode())
    body = data[10 + length:]
    return header["shape"], struct.unpack(f"<{len(body) // 4}f", body)


if __name__ == "__main__":
    # ramp FILE ROWS COLUMNS: row-major -N/2, …; relu IN OUT: checks OUT = max(IN, 0).
    if sys.argv[1] == "ramp":
        rows, columns = int(sys.argv[3]), int(sys.argv[4])
        count = rows * columns
        write(sys.argv[2], (rows, columns), [float(i - count // 2) for i in range(count)])
    else:
        (shape_in, x), (shape_out, y) = read(sys.argv[2]), read(sys.argv[3])
        assert shape_in == shape_out, (shape_in, shape_out)
        assert all(b == max(a, 0.0) for a, b in zip(x, y))
        print("relu holds for", len(y), "elements")
