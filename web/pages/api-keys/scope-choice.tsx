import { useSession } from '../../api/session.ts'
import { RadioGroup } from '../../parts/field.tsx'
import { KEY_SCOPES, type KeyScope } from '../../../formats/team/key-scope.ts'
import { SCOPES, scopeReason } from './scopes.ts'

interface ScopeChoiceProps {
  scope: KeyScope
  onChange: (scope: KeyScope) => void
}

/** The six scopes, each with its powers; a scope that the person may not choose shows the reason. */
export function ScopeChoice({ scope, onChange }: ScopeChoiceProps) {
  const session = useSession()
  return (
    <RadioGroup
      label="Scope"
      name="scope"
      value={scope}
      options={SCOPES.map((one) => ({
        value: one,
        label: KEY_SCOPES[one].title,
        hint: KEY_SCOPES[one].powers,
        reason: scopeReason(session, one),
      }))}
      onChange={onChange}
    />
  )
}
