// The rule on features: each file of a ring lies in the folder of its feature, no folder is too small or too large to read, and inside
// a ring the features import each other in no circle.

import { posix } from "node:path"
import { type FeatureRing, featureRings, features } from "./Features.ts"
import { importsOf, targetOf } from "./ImportRule.ts"
import type { Rule, Source, Violation } from "./Source.ts"

const ringOf = (file: string): FeatureRing | undefined =>
  featureRings.find(({ folder }) => file.startsWith(`${folder}/`))

/** The first folder inside the ring; `undefined` for a loose file. */
const folderIn = ({ folder }: FeatureRing, file: string): string | undefined => {
  const [first, ...rest] = file.slice(folder.length + 1).split("/")
  return rest.length === 0 ? undefined : first
}

export const featureRule: Rule = ({ file }) => {
  const ring = ringOf(file)
  if (ring === undefined) return []
  const folder = folderIn(ring, file)
  const isPlaced =
    folder === undefined
      ? ring.loose.includes(posix.basename(file))
      : [...features, ...(ring.others ?? [])].includes(folder)
  return isPlaced ? [] : [{ file, line: 1, message: `lies in no feature of ${ring.folder}` }]
}

const filesByFeature = (ring: FeatureRing, sources: ReadonlyArray<Source>): Map<string, Array<Source>> => {
  const found = new Map<string, Array<Source>>()
  for (const source of sources) {
    const feature = ringOf(source.file) === ring ? folderIn(ring, source.file) : undefined
    if (feature === undefined || !features.includes(feature)) continue
    found.set(feature, [...(found.get(feature) ?? []), source])
  }
  return found
}

export const featureSizeRule = (sources: ReadonlyArray<Source>): ReadonlyArray<Violation> =>
  featureRings.flatMap((ring) => {
    const { bounds, folder } = ring
    if (bounds === undefined) return []
    return Array.from(filesByFeature(ring, sources))
      .filter(([, files]) => files.length < bounds.min || files.length > bounds.max)
      .map(([feature, files]) => ({
        file: `${folder}/${feature}`,
        line: 1,
        message: `has ${files.length} files; ${bounds.min} to ${bounds.max} are allowed`
      }))
  })

const importedFeatures = (ring: FeatureRing, { file, ...source }: Source): ReadonlyArray<string> =>
  importsOf({ file, ...source }).flatMap(({ specifier }) => {
    const target = specifier === undefined ? undefined : targetOf(file, specifier)
    const feature = target !== undefined && ringOf(target) === ring ? folderIn(ring, target) : undefined
    return feature === undefined || feature === folderIn(ring, file) ? [] : [feature]
  })

/** Types count, too: a reader follows them like any other name. */
export const featureCircleRule = (sources: ReadonlyArray<Source>): ReadonlyArray<Violation> =>
  featureRings.flatMap((ring) => {
    const arrows = new Map(
      Array.from(filesByFeature(ring, sources), ([feature, files]) => [
        feature,
        new Set(files.flatMap((file) => importedFeatures(ring, file)))
      ])
    )
    // Features that import no other one are taken away until none is left, or only circles and what leads to them.
    for (;;) {
      const free = Array.from(arrows).find(([, to]) => Array.from(to).every((feature) => !arrows.has(feature)))
      if (free === undefined) break
      arrows.delete(free[0])
    }
    return Array.from(arrows, ([feature, to]) => ({
      file: `${ring.folder}/${feature}`,
      line: 1,
      message: `is in a circle of features, or leads to one: it imports ${Array.from(to).toSorted().join(", ")}`
    }))
  })
