import type { Schemas } from '../../api/client.ts'

type Finding = Schemas['DriftFinding']

const ASPECTS: Readonly<Record<Finding['aspect'], string>> = {
  object: 'Table missing',
  kind: 'Kind',
  'column.missing': 'Column missing',
  'column.extra': 'Column not promised',
  type: 'Type',
  nullable: 'Empty values',
  key: 'Primary key',
  unique: 'Unique values',
  constraints: 'Constraints',
  classification: 'Classification',
}

/** Returns the title of what differs: `Column missing`. */
export function getAspectTitle(aspect: Finding['aspect']): string {
  return ASPECTS[aspect]
}

/** Returns the place of a finding in its contract: `journey.load_state`. */
function getFindingPlace({ model, field }: Pick<Finding, 'model' | 'field'>): string {
  return field === null ? model : `${model}.${field}`
}

/** Returns the accessible name of a finding: `Column missing: journey.load_state`. */
export function nameFinding(finding: Pick<Finding, 'model' | 'field' | 'aspect'>): string {
  return `${getAspectTitle(finding.aspect)}: ${getFindingPlace(finding)}`
}
