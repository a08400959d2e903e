// Lists of a fixed maximum size: adding to a full one drops the oldest item.

/** `item` at the end; items over `max` leave from the front. */
export const append = <A>(list: ReadonlyArray<A>, item: A, max: number): ReadonlyArray<A> =>
  list.length < max ? [...list, item] : [...list.slice(list.length - max + 1), item]

/** Like `append`, but a full list drops its oldest item that is `expendable`, or the oldest of all. */
export const appendOver = <A>(
  list: ReadonlyArray<A>,
  item: A,
  max: number,
  expendable: (item: A) => boolean
): ReadonlyArray<A> => {
  if (list.length < max) return [...list, item]
  const dropped = Math.max(0, list.findIndex(expendable))
  return [...list.toSpliced(dropped, 1), item]
}

/** The list with the last matching item changed; the same list where none matches or nothing changed. */
export const changeLast = <A>(
  list: ReadonlyArray<A>,
  matches: (item: A) => boolean,
  change: (item: A) => A
): ReadonlyArray<A> => {
  const index = list.findLastIndex(matches)
  const item = list[index]
  if (item === undefined) return list
  const changed = change(item)
  return changed === item ? list : list.with(index, changed)
}
