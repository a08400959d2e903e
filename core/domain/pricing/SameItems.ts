// When two orders ask for the same: their targets are one URL to every browser, and their anchor texts read alike.
import type { OrderItem } from "./Cart.ts"

/**
 * The URL as a browser requests it: scheme and host in lower case, the host as ASCII, no default port, at least one slash, and no
 * fragment. Nothing else is folded: a path may differ by a slash or by case.
 */
export const requestedUrl = (targetUrl: string): string => {
  const url = new URL(targetUrl)
  url.hash = ""
  return url.href
}

/** The words as they are read: composed (NFC), and blanks between them alike. */
export const readWords = (anchorText: string): string =>
  anchorText
    .normalize("NFC")
    .replaceAll(/\p{White_Space}+/gu, " ")
    .trim()

/** What is compared of an item. What a buyer notes about it makes no other link. */
export const comparedItem = ({ brief: _brief, reference: _reference, ...item }: OrderItem) => ({
  ...item,
  targetUrl: requestedUrl(item.targetUrl),
  anchorText: readWords(item.anchorText)
})
