// The files of a drop or of an input, with their paths. Folders are walked.

/** The files `{ file, path }` of a drop. */
export async function dropped(transfer) {
    // the entries are there only until the event ends
    const entries = [...transfer.items].filter(({ kind }) => kind === "file")
        .map((item) => item.webkitGetAsEntry?.() ?? item.getAsFile());
    const files = [];
    for (const entry of entries) {
        if (entry instanceof File) {
            files.push({ file: entry, path: entry.name });
        } else if (entry !== null) {
            await walk(entry, files);
        }
    }
    return files;
}

async function walk(entry, files) {
    const got = (method) => new Promise((resolve, reject) => method(resolve, reject));
    if (entry.isFile) {
        files.push({ file: await got((...f) => entry.file(...f)), path: entry.fullPath.slice(1) });
        return;
    }
    const reader = entry.createReader();
    // a call returns some of them, and none at the end
    for (let some; (some = await got((...f) => reader.readEntries(...f))).length > 0;) {
        for (const entry of some) {
            await walk(entry, files);
        }
    }
}

/** The same of an input. */
export function chosen(input) {
    return Array.from(input.files, (file) => ({ file, path: file.webkitRelativePath || file.name }));
}
