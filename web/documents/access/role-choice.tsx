import { Checkbox } from '../../parts/field.tsx'
import { TagInput } from '../../parts/tag-input.tsx'
import { useContractTerms } from './contract-terms.tsx'

/** The maximum number of roles of an agreement. */
const ROLES_MAX = 50

interface RoleChoiceProps {
  contractId: string | null
  /** The chosen roles. */
  roles: readonly string[]
  /** Roles that are offered although the contract does not list them. */
  requested?: readonly string[]
  onChange: (roles: readonly string[]) => void
}

/** The roles of a contract as checkboxes; without a contract that lists roles, they are typed. */
export function RoleChoice({ contractId, roles, requested = [], onChange }: RoleChoiceProps) {
  const { data } = useContractTerms(contractId)
  const offered = data?.roles ?? []
  if (offered.length === 0) {
    return (
      <TagInput
        label="Roles"
        hint="The contract lists no roles. Name the ones that you need, or leave it empty."
        tags={roles}
        onAdd={(role) => onChange([...roles, role].slice(0, ROLES_MAX))}
        onRemove={(at) => onChange(roles.filter((_, index) => index !== at))}
      />
    )
  }
  const names = offered.map(({ name }) => name)
  const others = requested.filter((name) => !names.includes(name)).map((name) => ({ name }))
  const choices: { name: string; description?: string }[] = [...offered, ...others]
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-sm font-medium">
        Roles<span className="font-normal text-faint"> optional</span>
      </legend>
      {choices.map(({ name, description }) => (
        <Checkbox
          key={name}
          label={<span className="user-text">{name}</span>}
          hint={description}
          checked={roles.includes(name)}
          onChange={({ target }) =>
            onChange(target.checked ? [...roles, name] : roles.filter((one) => one !== name))
          }
        />
      ))}
    </fieldset>
  )
}
