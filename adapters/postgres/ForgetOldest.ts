// Keeps what is remembered within bounds: whoever has been in it longest makes room.
export const forgetOldest = <Id>(remembered: Map<Id, unknown> | Set<Id>, most: number): void => {
  const [oldest] = remembered.keys()
  if (remembered.size >= most && oldest !== undefined) remembered.delete(oldest)
}
