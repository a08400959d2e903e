// Runs work over a list with a fixed number of workers.

/** `width` at a time. Results are in the order of completion; the first failure rejects. */
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
