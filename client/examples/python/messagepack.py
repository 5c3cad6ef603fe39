"""MessagePack as the control socket uses it (protocol/README.md, section 3.1): plain values, no extension types."""

import struct


def pack(value):
    """The bytes of a bool, int, float, str, bytes, list or dict. Fields that are None are left out."""
    if value is True or value is False:
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return _pack_int(value)
    if isinstance(value, float):
        return b"\xcb" + struct.pack(">d", value)
    if isinstance(value, str):
        data = value.encode()
        return _head(len(data), 0xA0, 31, (0xD9, 0xDA, 0xDB)) + data
    if isinstance(value, (bytes, bytearray)):
        return _head(len(value), None, -1, (0xC4, 0xC5, 0xC6)) + value
    if isinstance(value, (list, tuple)):
        return _head(len(value), 0x90, 15, (None, 0xDC, 0xDD)) + b"".join(map(pack, value))
    if isinstance(value, dict):
        fields = [(key, item) for key, item in value.items() if item is not None]
        head = _head(len(fields), 0x80, 15, (None, 0xDE, 0xDF))
        return head + b"".join(pack(key) + pack(item) for key, item in fields)
    raise TypeError(f"{type(value).__name__} cannot be sent")


def unpack(data):
    """The value of the bytes; ValueError if they are not exactly one value."""
    try:
        value, end = _read(memoryview(data), 0)
    except (struct.error, IndexError, UnicodeDecodeError) as error:
        raise ValueError("the message is not MessagePack") from error
    if end != len(data):
        raise ValueError("there are bytes behind the message")
    return value


def _pack_int(value):
    if 0 <= value < 128 or -32 <= value < 0:
        return struct.pack(">b" if value < 0 else ">B", value)
    for code, form, low, high in _INTEGERS:
        if low <= value <= high:
            return bytes([code]) + struct.pack(form, value)
    raise ValueError("the number has more than 64 bits")


_INTEGERS = [
    (0xCC, ">B", 0, 0xFF),
    (0xCD, ">H", 0, 0xFFFF),
    (0xCE, ">I", 0, 0xFFFFFFFF),
    (0xCF, ">Q", 0, 2**64 - 1),
    (0xD0, ">b", -(2**7), 0),
    (0xD1, ">h", -(2**15), 0),
    (0xD2, ">i", -(2**31), 0),
    (0xD3, ">q", -(2**63), 0),
]
_NUMBERS = {code: form for code, form, _, _ in _INTEGERS} | {0xCA: ">f", 0xCB: ">d"}


def _head(length, short, short_max, codes):
    """The head of something with a length, in the shortest form."""
    if length <= short_max:
        return bytes([short | length])
    for code, form, top in zip(codes, (">B", ">H", ">I"), (0xFF, 0xFFFF, 0xFFFFFFFF)):
        if code is not None and length <= top:
            return bytes([code]) + struct.pack(form, length)
    raise ValueError("the value is too long")


def _read(data, at):
    """The value at a position, and the position behind it."""
    code = data[at]
    at += 1
    if code <= 0x7F:
        return code, at
    if code >= 0xE0:
        return code - 0x100, at
    if code <= 0x8F:
        return _read_map(data, at, code & 0x0F)
    if code <= 0x9F:
        return _read_list(data, at, code & 0x0F)
    if code <= 0xBF:
        return _read_text(data, at, code & 0x1F)
    if code in (0xC0, 0xC2, 0xC3):
        return {0xC0: None, 0xC2: False, 0xC3: True}[code], at
    if code in _NUMBERS:
        form = _NUMBERS[code]
        return struct.unpack_from(form, data, at)[0], at + struct.calcsize(form)
    reader, form = _SIZED.get(code) or _refuse(code)
    (length,) = struct.unpack_from(form, data, at)
    return reader(data, at + struct.calcsize(form), length)


def _refuse(code):
    raise ValueError(f"0x{code:02x} is no type of plain MessagePack")


def _read_bytes(data, at, length):
    if at + length > len(data):
        raise ValueError("the message ends too early")
    return bytes(data[at : at + length]), at + length


def _read_text(data, at, length):
    text, end = _read_bytes(data, at, length)
    return text.decode(), end


def _read_list(data, at, length):
    items = []
    for _ in range(length):
        item, at = _read(data, at)
        items.append(item)
    return items, at


def _read_map(data, at, length):
    fields = {}
    for _ in range(length):
        key, at = _read(data, at)
        fields[key], at = _read(data, at)
    return fields, at


_SIZED = {
    0xC4: (_read_bytes, ">B"),
    0xC5: (_read_bytes, ">H"),
    0xC6: (_read_bytes, ">I"),
    0xD9: (_read_text, ">B"),
    0xDA: (_read_text, ">H"),
    0xDB: (_read_text, ">I"),
    0xDC: (_read_list, ">H"),
    0xDD: (_read_list, ">I"),
    0xDE: (_read_map, ">H"),
    0xDF: (_read_map, ">I"),
}
