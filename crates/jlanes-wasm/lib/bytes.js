// The bytes of an argument. Objects can be dressed up as arrays of bytes, and arrays of bytes can have
// properties of their own. So the getters of the language are asked, which read what the engine keeps.

const getter = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;

const Bytes = Uint8Array;
const { isView } = ArrayBuffer;
const TypedArray = Object.getPrototypeOf(Uint8Array.prototype);
const { keys, set, slice } = TypedArray;
/** Returns the name of the type of an array, undefined for every other value. */
const arrayName = getter(TypedArray, Symbol.toStringTag);
const array = {
    buffer: getter(TypedArray, "buffer"),
    offset: getter(TypedArray, "byteOffset"),
    length: getter(TypedArray, "byteLength"),
};
// they throw if the view is detached or out of bounds
const view = {
    buffer: getter(DataView.prototype, "buffer"),
    offset: getter(DataView.prototype, "byteOffset"),
    length: getter(DataView.prototype, "byteLength"),
};

/** The length of an array of bytes. */
export const lengthOf = (bytes) => array.length.call(bytes);

/** Copies an array of bytes into another, at an offset. */
export const copy = (to, bytes, at) => set.call(to, bytes, at);

/** A copy of the bytes of a plain array from an offset. */
export const copied = (bytes, from, length) => slice.call(bytes, from, from + length);

/** A plain array of the bytes from an offset, of a fixed length. */
export function part(bytes, from, length) {
    return new Bytes(array.buffer.call(bytes), array.offset.call(bytes) + from, length);
}

/** A plain array of the bytes of an argument, of a fixed length. */
export function bytesOf(value, name) {
    const type = arrayName.call(value);
    const isArray = type === "Uint8Array";
    if (!isArray && (type !== undefined || !isView(value))) {
        throw new TypeError(`${name} is ${kind(value)}, not a Uint8Array`);
    }
    const { buffer, offset, length } = isArray ? array : view;
    try {
        const size = length.call(value);
        if (isArray && size === 0) {
            // a length of 0 may be that of a detached array: this throws then
            keys.call(value);
        }
        return new Bytes(buffer.call(value), offset.call(value), size);
    } catch (error) {
        if (!(error instanceof TypeError)) {
            throw error;
        }
        throw new TypeError(`${name} is detached, or out of its buffer's bounds`);
    }
}

/** What a value is, for a message. */
export function kind(value) {
    if (value === null || typeof value !== "object") {
        return value === null ? "null" : typeof value;
    }
    const name = arrayName.call(value) ?? Object.prototype.toString.call(value).slice(8, -1);
    return name === "Uint8Array" && arrayName.call(value) === undefined ? "Object" : name;
}
