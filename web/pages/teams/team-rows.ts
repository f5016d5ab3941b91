import { getTypeLabel } from '../../../formats/team/team-type.ts'
import type { PlacedTeam } from '../../api/team-tree.ts'
import type { Team } from '../../api/teams.ts'
import type { TreeRow } from '../../parts/tree-grid.tsx'

/** A row of the tree of teams. */
export interface TeamRow extends TreeRow {
  team: Team
}

interface Choice {
  /** The ids of teams that are closed. */
  closed: ReadonlySet<string>
  /** Letters of the name, the id or the description. */
  filter: string
  /** One kind of team; empty = all. */
  type: string
}

/** Returns the visible rows. Filtered teams appear with the teams above them, all expanded. */
export function teamRows(tree: readonly PlacedTeam[], choice: Choice): TeamRow[] {
  const letters = choice.filter.trim().toLowerCase()
  const isFiltered = letters !== '' || choice.type !== ''
  const isMeant = (team: Team): boolean =>
    (choice.type === '' || getTypeLabel(team) === choice.type) &&
    [team.name, team.id, team.description].some(
      (text) => text?.toLowerCase().includes(letters) === true,
    )
  const kept = isFiltered ? pruned(tree, isMeant) : tree
  const rows: TeamRow[] = []
  const add = (places: readonly PlacedTeam[], level: number): void => {
    places.forEach(({ team, below }, at) => {
      const isOpen = isFiltered || !choice.closed.has(team.id)
      const place = { key: team.id, level, position: at + 1, setSize: places.length }
      rows.push({ ...place, team, hasChildren: below.length > 0, isOpen })
      if (isOpen) add(below, level + 1)
    })
  }
  add(kept, 1)
  return rows
}

function pruned(tree: readonly PlacedTeam[], isMeant: (team: Team) => boolean): PlacedTeam[] {
  return tree.flatMap(({ team, below }) => {
    const rest = pruned(below, isMeant)
    return rest.length > 0 || isMeant(team) ? [{ team, below: rest }] : []
  })
}
