import { createNameFilter, type NameGlobs } from '../../../formats/name/name-filter.ts'

/** Returns the globs after one name was ticked or unticked, with as few changes as possible. */
export function setTick(globs: NameGlobs, name: string, isTicked: boolean): NameGlobs {
  return isTicked ? includeName(globs, name) : excludeName(globs, name)
}

function includeName(globs: NameGlobs, name: string): NameGlobs {
  const exclude = globs.exclude.filter((glob) => glob !== name)
  const unblocked = { include: globs.include, exclude }
  if (createNameFilter(unblocked)(name)) return unblocked
  // A first name in the list would exclude all others.
  const include = globs.include.length === 0 ? ['*', name] : [...globs.include, name]
  return { include, exclude }
}

function excludeName(globs: NameGlobs, name: string): NameGlobs {
  const include = globs.include.filter((glob) => glob !== name)
  // An empty list would include everything.
  const emptied = globs.include.length > 0 && include.length === 0
  const reduced = { include, exclude: emptied ? [...globs.exclude, '*'] : globs.exclude }
  if (!createNameFilter(reduced)(name)) return reduced
  return { include, exclude: [...reduced.exclude, name] }
}

/** Returns the globs that include all of the given names, or exclude them. */
export function setAllTicks(
  globs: NameGlobs,
  names: readonly string[],
  isTicked: boolean,
): NameGlobs {
  return names.reduce((changed, name) => {
    const isAlready = createNameFilter(changed)(name) === isTicked
    return isAlready ? changed : setTick(changed, name, isTicked)
  }, globs)
}
