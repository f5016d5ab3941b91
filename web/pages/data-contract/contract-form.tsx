import { STATUSES } from '../../../formats/data-contract/odcs-shape.ts'
import { ownerPath } from '../../../formats/data-contract/read.ts'
import { dotted } from '../../../formats/value.ts'
import type { Path } from '../../../formats/value.ts'
import { may, useSession } from '../../api/session.ts'
import { useTeams } from '../../api/teams.ts'
import type { DocumentFormProps } from '../../documents/document-kind.ts'
import { errorAt, FormText } from '../../documents/form-field.tsx'
import { FormTags } from '../../documents/form-list.tsx'
import { Combobox } from '../../parts/combobox.tsx'
import { Field } from '../../parts/field.tsx'
import { toTeamChoices } from '../../shell/team-choices.ts'
import { textAt } from './contract-form-values.ts'
import { DESCRIPTION_ORDER, ORDER, ownerEdit } from './form-edits.ts'
import { ModelsForm } from './models-form.tsx'

const STATUS_CHOICES = STATUSES.map((value) => ({ value, label: value }))

const TEXTS: readonly (readonly [label: string, path: Path])[] = [
  ['Purpose', ['description', 'purpose']],
  ['Usage', ['description', 'usage']],
  ['Limitations', ['description', 'limitations']],
]

/** The form of an ODCS contract, beside its source. */
export function ContractForm(form: DocumentFormProps) {
  const hasDomain = dotted(ownerPath(form.value)) !== 'domain'
  const common = { form, order: ORDER }
  return (
    <div className="grid gap-5">
      <div className="grid gap-3 sm:grid-cols-2">
        {form.isNew && (
          <FormText
            {...common}
            label="Id"
            path={['id']}
            hint="Ports name the contract by it. It cannot be changed later."
          />
        )}
        <FormText {...common} label="Name" path={['name']} optional />
        <FormText
          {...common}
          label="Version"
          path={['version']}
          hint="The contract’s own, such as 1.4.0."
        />
        <FormText {...common} label="Status" path={['status']} choices={STATUS_CHOICES} />
        <TeamField {...form} />
        {hasDomain && <FormText {...common} label="Domain" path={['domain']} optional />}
      </div>
      {TEXTS.map(([label, path]) => (
        <FormText
          key={label}
          form={form}
          order={DESCRIPTION_ORDER}
          label={label}
          path={path}
          optional
          multiline
        />
      ))}
      <FormTags {...common} label="Tags" path={['tags']} />
      <ModelsForm {...form} />
    </div>
  )
}

// A team that may not be given the contract is listed nevertheless, so that one sees that it exists.
function TeamField(form: DocumentFormProps) {
  const session = useSession()
  const teams = useTeams() ?? []
  const path = ownerPath(form.value)
  const owner = textAt(form.value, path)
  const findReason = (id: string): string | undefined =>
    id === owner ? undefined : may(session, 'RESOURCES_EDIT', id).reason
  return (
    <Field label="Team" hint="It owns the contract." error={errorAt(form, path)}>
      {(control) => (
        <Combobox
          {...control}
          value={owner}
          placeholder="Choose a team"
          choices={toTeamChoices(teams, owner, findReason)}
          onChange={(id) => void form.onEdit(ownerEdit(form.value, id))}
        />
      )}
    </Field>
  )
}
