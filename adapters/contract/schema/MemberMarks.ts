// What a request's member is for, as annotations of its schema: a tool reads a text that may be a slip, such as `null`, by them.

const NAME = "backlinks/name"

const GUARD = "backlinks/guard"

/** The text names something, such as an id, a code or a domain; unmarked texts are free. */
export const asName = { [NAME]: true } as const

/** The member guards a purchase against being made twice, too dearly or at all: its value is never guessed. */
export const asGuard = { [GUARD]: true } as const

type Annotations = Readonly<Record<string, unknown>> | undefined

export const isName = (annotations: Annotations): boolean => annotations?.[NAME] === true

export const isGuard = (annotations: Annotations): boolean => annotations?.[GUARD] === true
