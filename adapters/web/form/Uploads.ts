// Forms that bear a file: sent as `multipart/form-data`, with the text of each file as a field of its name, and the file's own name beside it.
import { Effect } from "effect"
import { UnsupportedMediaType } from "#adapters/contract/errors/AdapterFailure.ts"

/** What such a form may send in all. */
export const MAX_UPLOAD_BYTES = 3 * 1_024 * 1_024

/**
 * What a text of such a form may have, in UTF-8. A confirmation sends it back in an address's encoding, which takes up to three times its
 * bytes, beside the other fields.
 */
export const MAX_UPLOADED_TEXT_BYTES = 1_000_000

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

export const isUploadable = (text: string): boolean => bytesOf(text).length <= MAX_UPLOADED_TEXT_BYTES

/** Cuts a text that is too long, so that it can be sent back, and stays too long for its field. */
export const cutText = (text: string): string =>
  isUploadable(text) ? text : new TextDecoder().decode(bytesOf(text).subarray(0, MAX_UPLOADED_TEXT_BYTES + 1))

export const isMultipart = (contentType: string | undefined): boolean =>
  /^multipart\/form-data\s*;/i.test(contentType ?? "")

/** The field that has the name of a file. */
export const fileNameField = (field: string): string => `${field}_name`

const decoders = ["utf-8", "windows-1252"].map((encoding) => new TextDecoder(encoding, { fatal: encoding === "utf-8" }))

const hasMark = (bytes: Uint8Array, first: number, second: number): boolean => bytes[0] === first && bytes[1] === second

/** Spreadsheets save in UTF-8, in UTF-16 with a byte order mark, and in the code page of western Windows. */
export const textOfFile = (bytes: Uint8Array): string => {
  if (hasMark(bytes, 0xff, 0xfe)) return new TextDecoder("utf-16le").decode(bytes)
  if (hasMark(bytes, 0xfe, 0xff)) return new TextDecoder("utf-16be").decode(bytes)
  for (const decoder of decoders) {
    try {
      return decoder.decode(bytes)
    } catch {
      // Not in this encoding.
    }
  }
  return ""
}

/** `bytes`: the body as a whole, whose length is bounded before. */
export const readMultipart = (bytes: ArrayBuffer, contentType: string) =>
  Effect.tryPromise({
    try: async () => {
      const fields = new URLSearchParams()
      const form = await new Response(bytes, { headers: { "content-type": contentType } }).formData()
      for (const [name, value] of form) {
        if (typeof value === "string") fields.append(name, value)
        else if (value.size > 0) {
          fields.append(name, textOfFile(new Uint8Array(await value.arrayBuffer())))
          fields.append(fileNameField(name), value.name)
        }
      }
      return fields
    },
    catch: () => new UnsupportedMediaType()
  })
