// The rule on features: each file of a ring lies in the folder of its feature, no folder is too small or too large to read, and inside
// a ring the features and loose files import each other in no circle.

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

const inRing = (ring: FeatureRing, sources: ReadonlyArray<Source>): ReadonlyArray<Source> =>
  sources.filter(({ file }) => ringOf(file) === ring)

export const featureSizeRule = (sources: ReadonlyArray<Source>): ReadonlyArray<Violation> =>
  featureRings.flatMap((ring) => {
    const { bounds, folder } = ring
    if (bounds === undefined) return []
    return Array.from(Map.groupBy(inRing(ring, sources), ({ file }) => folderIn(ring, file)))
      .filter(([feature]) => feature !== undefined && features.includes(feature))
      .filter(([, files]) => files.length < bounds.min || files.length > bounds.max)
      .map(([feature, files]) => ({
        file: `${folder}/${feature}`,
        line: 1,
        message: `has ${files.length} files; ${bounds.min} to ${bounds.max} are allowed`
      }))
  })

/** What a reader sees in the ring's folder: a feature, or a loose file. */
const placeIn = (ring: FeatureRing, file: string): string => folderIn(ring, file) ?? posix.basename(file)

const importedPlaces = (ring: FeatureRing, source: Source): ReadonlyArray<string> =>
  importsOf(source).flatMap(({ specifier }) => {
    const target = specifier === undefined ? undefined : targetOf(source.file, specifier)
    if (target === undefined || ringOf(target) !== ring) return []
    const place = placeIn(ring, target)
    return place === placeIn(ring, source.file) ? [] : [place]
  })

/** Types count, too: a reader follows them like any other name. */
export const featureCircleRule = (sources: ReadonlyArray<Source>): ReadonlyArray<Violation> =>
  featureRings.flatMap((ring) => {
    const arrows = new Map(
      Array.from(
        Map.groupBy(inRing(ring, sources), ({ file }) => placeIn(ring, file)),
        ([place, files]) => [place, new Set(files.flatMap((file) => importedPlaces(ring, file)))] as const
      )
    )
    // Places that import no other one are taken away until none is left, or only circles and what leads to them.
    for (;;) {
      const free = Array.from(arrows).find(([, to]) => Array.from(to).every((place) => !arrows.has(place)))
      if (free === undefined) break
      arrows.delete(free[0])
    }
    return Array.from(arrows, ([place, to]) => ({
      file: `${ring.folder}/${place}`,
      line: 1,
      message: `is in a circle, or leads to one: it imports ${Array.from(to).toSorted().join(", ")}`
    }))
  })
