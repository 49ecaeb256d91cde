// The bytes of an argument. Objects can be dressed up as arrays of bytes, and arrays of bytes can have
// properties of their own. So the getters of the language are asked, which read what the engine keeps.

const { bind, call } = Function.prototype;
/** A method as a function with `this` as its first parameter. */
const uncurried = bind.bind(call);
const getter = (prototype, name) => uncurried(Object.getOwnPropertyDescriptor(prototype, name).get);

const TypedArray = Object.getPrototypeOf(Uint8Array.prototype);
const { isView } = ArrayBuffer;
/** The name of the type of an array, undefined for every other value. */
const arrayName = getter(TypedArray, Symbol.toStringTag);
/** Throws if the array is detached, or out of its buffer's bounds: its length is 0 then. */
const check = uncurried(TypedArray.keys);
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
const Bytes = Uint8Array;
const slice = uncurried(TypedArray.slice);

/** The length of an array of bytes. */
export const lengthOf = array.length;
/** Copies an array of bytes into another, at an offset. */
export const copy = uncurried(TypedArray.set);

/** A plain array of the bytes from an offset, of a fixed length. */
export function part(bytes, from, length) {
    return new Bytes(array.buffer(bytes), array.offset(bytes) + from, length);
}

/** A copy of the bytes of a plain array from an offset. */
export const copied = (bytes, from, length) => slice(bytes, from, from + length);

/** A plain array of the bytes of an argument, of a fixed length. */
export function bytesOf(value, name) {
    const type = arrayName(value);
    const isArray = type === "Uint8Array";
    if (!isArray && (type !== undefined || !isView(value))) {
        throw new TypeError(`${name} is ${kind(value)}, not a Uint8Array`);
    }
    const { buffer, offset, length } = isArray ? array : view;
    try {
        const size = length(value);
        if (isArray && size === 0) {
            check(value);
        }
        return new Bytes(buffer(value), offset(value), size);
    } catch {
        throw new TypeError(`${name} is detached, or out of its buffer's bounds`);
    }
}

/** What a value is, for a message. */
export function kind(value) {
    if (value === null || typeof value !== "object") {
        return value === null ? "null" : typeof value;
    }
    const name = arrayName(value) ?? Object.prototype.toString.call(value).slice(8, -1);
    return name === "Uint8Array" && arrayName(value) === undefined ? "Object" : name;
}
