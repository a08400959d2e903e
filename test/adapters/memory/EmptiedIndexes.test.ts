// Sets of the indexes that were emptied are dropped, so that they take no memory, but only once there are many.
import { HashMap } from "effect"
import { describe, expect, it } from "vitest"
import { Indexes } from "#adapters/memory/books/Indexes.ts"
import { indexKeys } from "#adapters/memory/books/IndexKeys.ts"
import { type Books, emptyBooks } from "#core/decisions/Books.ts"
import { AccountId, ProjectId } from "#core/domain/shared/Ids.ts"
import { project } from "#test/core/Given.ts"

const withProject = (projectId: string, account: number): Books => ({
  ...emptyBooks,
  projects: HashMap.make([ProjectId.make(projectId), project(projectId, `acc_${account}`)])
})

describe("Indexes", () => {
  it("drop sets that were emptied once there are a thousand, but none that has entries again", () => {
    const indexes = new Indexes()
    const projectsOf = (account: number) => indexes.get(indexKeys.projectsOf(AccountId.make(`acc_${account}`)))
    const absent = projectsOf(-1)
    const update = (before: Books, after: Books, id: string) =>
      indexes.update(before, after, [{ table: "projects", id }])
    const move = (from: number, to: number) => update(withProject("prj_1", from), withProject("prj_1", to), "prj_1")
    update(emptyBooks, withProject("prj_1", 0), "prj_1")
    for (let account = 0; account < 999; account++) move(account, account + 1)
    update(emptyBooks, withProject("prj_2", 500), "prj_2")
    expect(projectsOf(0)).not.toBe(absent)
    move(999, 1_000)
    expect(projectsOf(0)).toBe(absent)
    expect(projectsOf(999)).toBe(absent)
    expect([...projectsOf(500).after(null)]).toEqual([{ score: 0, id: "prj_2" }])
    expect([...projectsOf(1_000).after(null)]).toEqual([{ score: 0, id: "prj_1" }])
  })
})
