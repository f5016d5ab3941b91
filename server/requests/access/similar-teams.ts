import { editDistance } from '../../../formats/shape/nearest.ts'

/** A team by its id and its name. */
interface Team {
  id: string
  name: string
}

const SUGGESTIONS_MAX = 3
const PART_LETTERS_MIN = 3
/** One typing error is allowed for this many letters. */
const LETTERS_PER_TYPO = 4
const LETTERS_MAX = 64

/** Finds the teams whose id or name is most similar to a text, the most similar first. */
export function findSimilarTeams<T extends Team>(text: string, teams: readonly T[]): T[] {
  const wanted = normalize(text)
  if (wanted === '') return []
  const ranked = teams.flatMap((team) => {
    const distance = Math.min(getDistance(wanted, team.id), getDistance(wanted, team.name))
    return distance === Infinity ? [] : [{ team, distance }]
  })
  // A team that is meant exactly leaves no other one to guess.
  const isExact = ranked.some(({ distance }) => distance === 0)
  return ranked
    .filter(({ distance }) => !isExact || distance === 0)
    .toSorted((a, b) => a.distance - b.distance || (a.team.id < b.team.id ? -1 : 1))
    .slice(0, SUGGESTIONS_MAX)
    .map(({ team }) => team)
}

// Case, spaces and punctuation do not count: "Wagon fleet" is `wagon-fleet`.
function normalize(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .slice(0, LETTERS_MAX)
}

// 0 = the same; below 1 = one contains the other; otherwise the letters that differ; Infinity = not similar.
function getDistance(wanted: string, candidate: string): number {
  const other = normalize(candidate)
  if (other === wanted) return 0
  const [short, long] = other.length < wanted.length ? [other, wanted] : [wanted, other]
  if (short.length >= PART_LETTERS_MIN && long.includes(short))
    return 1 - short.length / long.length
  const letters = editDistance(short, long)
  return letters <= Math.floor(long.length / LETTERS_PER_TYPO) ? letters : Infinity
}
