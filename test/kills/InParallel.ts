// Much work by a few workers, each of whom takes the next piece when it is done with one.

/** `width` at a time. The results are in the order in which they came; the first failure is the whole's. */
export const inParallel = async <A, B>(
  values: ReadonlyArray<A>,
  width: number,
  work: (value: A) => Promise<B>
): Promise<Array<B>> => {
  const results: Array<B> = []
  const left = values.values()
  const worker = async () => {
    for (const value of left) results.push(await work(value))
  }
  await Promise.all(Array.from({ length: width }, worker))
  return results
}
