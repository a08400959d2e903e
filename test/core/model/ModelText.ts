// The text of a link in the model: its target stands for it.
export interface ModelText {
  target: string
  /** How often its target was changed. */
  changes: number
  /** Whether nothing was done to it since. */
  unseen: boolean
}
