import { ChevronRight, Plus, Trash2 } from 'lucide-react'
import { formatPath, getField, isObject } from '../../../formats/text/value.ts'
import type { DocumentFormProps } from '../../documents/document-kind.ts'
import { errorAt, FormText } from '../../documents/form-field.tsx'
import { FormDeprecated } from '../../documents/form-flag.tsx'
import { FormGuidance } from '../../documents/form-guidance.tsx'
import { useFold } from '../../documents/reveal.ts'
import { Button } from '../../parts/button.tsx'
import { useListFocus } from '../../parts/list-focus.ts'
import { Status } from '../../parts/status.tsx'
import { FieldsForm } from './fields-form.tsx'
import { textAt, FIELD_ORDER, getContractShape, modelAddition } from './form-edits.ts'
import { QualityForm } from './quality-form.tsx'

/** The models of an ODCS contract in its form. */
export function ModelsForm(form: DocumentFormProps) {
  const schema = getField(form.value, 'schema')
  const models = Array.isArray(schema) ? schema : []
  const [place, focusNext] = useListFocus(models.length)
  const add = (): void => {
    focusNext('last')
    void form.onEdit(modelAddition(form.value))
  }
  return (
    <section ref={place} className="grid gap-3">
      {models.length === 0 && (
        <p className="text-muted">Add a table, a file or a topic that consumers can read.</p>
      )}
      {models.map((model, at) =>
        isObject(model) ? (
          <ModelForm
            key={`${at}`}
            {...form}
            at={at}
            isAlone={models.length === 1}
            onRemove={() => {
              focusNext('add')
              void form.onEdit({ kind: 'remove', path: ['schema', at] })
            }}
          />
        ) : null,
      )}
      <div>
        <Button data-add icon={Plus} onClick={add}>
          Add model
        </Button>
      </div>
    </section>
  )
}

interface ModelFormProps extends DocumentFormProps {
  at: number
  isAlone: boolean
  onRemove: () => void
}

const NAMES = [
  ['Name', 'name', 'The name that consumers use.'],
  ['Physical name', 'physicalName', 'The name on the platform.'],
  ['Kind', 'physicalType', 'A table, view, topic, file or object.'],
] as const

function ModelForm({ at, isAlone, onRemove, ...form }: ModelFormProps) {
  const path = ['schema', at]
  const [isOpen, setOpen] = useFold([path], isAlone)
  const name = textAt(form.value, [...path, 'name'])
  const common = { form, order: FIELD_ORDER }
  const shape = getContractShape(form.value)
  return (
    <details
      data-item
      data-field={formatPath(path)}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="group/model rounded-md border border-line"
    >
      <summary className="user-text flex items-center gap-2 rounded-md px-2.5 py-2 font-medium marker:content-none hover:bg-hover">
        <ChevronRight
          size={14}
          aria-hidden
          className="shrink-0 text-muted transition-transform group-open/model:rotate-90"
        />
        {name === '' ? `Model ${at + 1}` : name}
        {errorAt(form, path) !== undefined && <Status tone="critical">error</Status>}
      </summary>
      {isOpen && (
        <div className="grid gap-3 border-t border-line p-3">
          <div className="grid gap-3 @sm:grid-cols-2">
            {NAMES.map(([label, field, hint]) => (
              <FormText
                key={field}
                {...common}
                label={label}
                hint={hint}
                path={[...path, field]}
                optional={field !== 'name'}
              />
            ))}
          </div>
          <FormText
            {...common}
            label="Description"
            path={[...path, 'description']}
            optional
            multiline
          />
          <FormDeprecated {...common} path={path} shape={shape} />
          <FormGuidance {...common} path={path} shape={shape} />
          <FieldsForm {...form} path={[...path, 'properties']} label={`Fields of ${name}`} />
          <QualityForm {...form} path={path} />
          <Button className="justify-self-end" icon={Trash2} onClick={onRemove}>
            Remove this model
          </Button>
        </div>
      )}
    </details>
  )
}
