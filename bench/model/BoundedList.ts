// Lists that never grow beyond a number: the newest pushes the oldest out, so that the bench can run for as long as it likes.

/** `item` at the end; from the front whatever is more than `most`. */
export const append = <A>(ring: ReadonlyArray<A>, item: A, most: number): ReadonlyArray<A> =>
  ring.length < most ? [...ring, item] : [...ring.slice(ring.length - most + 1), item]

/** The last item that fits, changed; the same list where none fits or nothing changed. */
export const changeLast = <A>(
  ring: ReadonlyArray<A>,
  fits: (item: A) => boolean,
  change: (item: A) => A
): ReadonlyArray<A> => {
  const index = ring.findLastIndex(fits)
  const item = ring[index]
  if (item === undefined) return ring
  const changed = change(item)
  return changed === item ? ring : ring.with(index, changed)
}

/** As `append`, but what goes is the oldest that may be spared; the oldest of all where none may. */
export const appendSparing = <A>(
  ring: ReadonlyArray<A>,
  item: A,
  most: number,
  spare: (item: A) => boolean
): ReadonlyArray<A> => {
  if (ring.length < most) return [...ring, item]
  const gone = Math.max(0, ring.findIndex(spare))
  return [...ring.toSpliced(gone, 1), item]
}
