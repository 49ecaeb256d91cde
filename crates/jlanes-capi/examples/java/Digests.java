import com.sun.jna.Library;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import java.util.HexFormat;
import java.util.List;

/**
 * Digests of many messages from Java 17 or later, by JNA:
 *
 * <pre>java -cp jna.jar -Djna.library.path=/usr/local/lib Digests.java</pre>
 */
final class Digests {
    /** What is used of jlanes.h. A size_t has the size of a pointer. */
    interface Jlanes extends Library {
        Jlanes LIBRARY = Native.load("jlanes", Jlanes.class);

        int jlanes_lanes_new(String algorithm, String backend, int flags, PointerByReference lanes);

        void jlanes_lanes_free(Pointer lanes);

        int jlanes_digest_many(
                Pointer lanes, Pointer messages, Pointer lens, long count, byte[] out, long outLen);

        String jlanes_last_error();
    }

    private static void check(int code) {
        if (code != 0) {
            throw new IllegalArgumentException(Jlanes.LIBRARY.jlanes_last_error());
        }
    }

    /** The SHA-256 digests of messages, one after the other. */
    static byte[] sha256(List<byte[]> messages) {
        var lanes = new PointerByReference();
        check(Jlanes.LIBRARY.jlanes_lanes_new("sha256", null, 0, lanes));
        try {
            // the messages are copied, because Java may move its arrays
            long bytes = messages.stream().mapToLong(message -> message.length).sum();
            var copy = new Memory(Math.max(bytes, 1));
            var addresses = new Memory(Math.max(8L * messages.size(), 1));
            var lens = new Memory(Math.max(8L * messages.size(), 1));
            long at = 0;
            for (int i = 0; i < messages.size(); i++) {
                byte[] message = messages.get(i);
                copy.write(at, message, 0, message.length);
                addresses.setPointer(8L * i, copy.share(at, message.length));
                lens.setLong(8L * i, message.length);
                at += message.length;
            }
            var out = new byte[32 * messages.size()];
            check(Jlanes.LIBRARY.jlanes_digest_many(
                    lanes.getValue(), addresses, lens, messages.size(), out, out.length));
            return out;
        } finally {
            Jlanes.LIBRARY.jlanes_lanes_free(lanes.getValue());
        }
    }

    public static void main(String[] arguments) {
        byte[] digests = sha256(List.of("abc".getBytes(), new byte[0], "another message".getBytes()));
        String first = HexFormat.of().formatHex(digests, 0, 32);
        System.out.println(first);
        // FIPS 180-4
        if (!first.equals("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")) {
            throw new AssertionError("that is not the digest of abc");
        }
    }
}
