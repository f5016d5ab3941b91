import { Table2 } from 'lucide-react'
import { useState } from 'react'
import { isContainerType } from '../../../formats/asset/asset.ts'
import { REASON_CHARACTERS_MAX } from '../../../formats/reality/reason.ts'
import { api, client, type Schemas } from '../../api/client.ts'
import { may, useSession } from '../../api/session.ts'
import { DRIFT_DATA } from '../../documents/reality/drift-data.ts'
import { assetWord } from '../../parts/asset-kind.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, RadioGroup, TextArea, TextField } from '../../parts/field.tsx'
import { Form, SubmitButton } from '../../parts/form.tsx'
import { findPlatformName } from '../../parts/platform-name.ts'
import { useSettled } from '../../parts/settled.ts'
import { useAction } from '../../shell/action.ts'
import { ActionButton } from '../../shell/action-dialog.tsx'

const ASK_AFTER_MS = 250
const SHOWN_MAX = 8

/** The choice that a model has no table. */
const NONE = ''

interface ChooseTableProps {
  id: string
  owner: string | null
  server: string
  model: Schemas['ModelDrift']
}

/** The buttons that choose the table of a model by hand, and that remove the choice. */
export function ChooseTable(props: ChooseTableProps) {
  const { id, owner, server, model } = props
  const [isOpen, setOpen] = useState(false)
  const { reason } = may(useSession(), 'DATACONTRACT_EDIT', owner)
  const { state, origin } = model.link
  const isChosen = origin === 'hand' || state === 'excluded'
  const path = { id, server, model: model.model }
  return (
    <>
      {isChosen && (
        <ActionButton
          label="Remove the choice"
          reason={reason}
          title="Remove the choice"
          button="Remove the choice"
          request={() =>
            client.DELETE('/api/datacontracts/{id}/links/{server}/{model}', { params: { path } })
          }
          notice="Choice removed."
          refresh={DRIFT_DATA}
        >
          The table is found again by its name and the address of the server.
        </ActionButton>
      )}
      <Button
        icon={Table2}
        reason={reason}
        aria-label={`Choose a table… for ${model.model} on ${server}`}
        onClick={() => setOpen(true)}
      >
        Choose a table…
      </Button>
      {isOpen && <ChooseDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

interface Option {
  value: string
  label: string
  hint: string
}

function ChooseDialog(props: ChooseTableProps & { onClose: () => void }) {
  const { server, model, onClose } = props
  return (
    <Dialog
      open
      onClose={onClose}
      title="Choose a table"
      description={
        <span className="user-text">
          The table that keeps <code>{model.model}</code> on {server}. The choice stays until a
          person removes it, also when the contract or the source changes.
        </span>
      }
    >
      <ChooseForm {...props} />
    </Dialog>
  )
}

function ChooseForm({ id, server, model, onClose }: ChooseTableProps & { onClose: () => void }) {
  const { link } = model
  const [chosen, setChosen] = useState(link.state === 'excluded' ? NONE : link.asset?.id)
  const [reason, setReason] = useState('')
  const [text, setText] = useState('')
  const options = useOptions(text, link)
  const action = useChoice({ id, server, model: model.model, reason, onClose })
  const isListed = options.some(({ value }) => value === chosen)
  return (
    <Form
      label="Choose a table"
      problem={action.problem}
      fields={['reason']}
      onSubmit={() => chosen !== undefined && action.run(chosen)}
    >
      <TextField
        label="Find a table"
        type="search"
        optional
        placeholder="Name of a table, view or topic"
        value={text}
        onChange={setText}
      />
      <RadioGroup
        label="Table"
        name="table"
        value={chosen ?? 'nothing chosen'}
        options={options}
        onChange={setChosen}
      />
      <Field label="Reason" field="reason" hint="Shown to everyone beside the table.">
        {(control) => (
          <TextArea
            {...control}
            required
            maxLength={REASON_CHARACTERS_MAX}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <SubmitButton
          busy={action.isPending}
          reason={isListed ? undefined : 'Choose one of the tables in the list.'}
        >
          Choose
        </SubmitButton>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Form>
  )
}

interface ChoiceOptions {
  id: string
  server: string
  model: string
  reason: string
  onClose: () => void
}

function useChoice({ id, server, model, reason, onClose }: ChoiceOptions) {
  return useAction({
    request: (assetId: string) =>
      client.PUT('/api/datacontracts/{id}/links/{server}/{model}', {
        params: { path: { id, server, model } },
        body: { assetId: assetId === NONE ? null : assetId, reason },
      }),
    notice: 'Table chosen.',
    refresh: DRIFT_DATA,
    onRefreshed: onClose,
  })
}

/** Lists the present table, those that the model may have, and those that the search finds; `none` is the last one. */
function useOptions(text: string, link: Schemas['DriftLink']): Option[] {
  const settled = useSettled(text.trim(), ASK_AFTER_MS)
  const { data } = api.useQuery(
    'get',
    '/api/search',
    {
      params: {
        query: {
          query: settled,
          resourceType: ['DATA_ASSET'],
          limit: 2 * SHOWN_MAX,
          facets: false,
        },
      },
    },
    { enabled: settled !== '' },
  )
  const near =
    settled === '' ? [...(link.asset === null ? [] : [link.asset]), ...link.candidates] : []
  const results = settled === '' ? [] : (data?.results ?? [])
  const tables = [...near, ...results]
    .filter(({ type }) => !isContainerType(type ?? ''))
    .map(({ id, name, type, ...rest }) => ({
      value: id,
      label: name === null || name === '' ? id : name,
      hint: [
        assetWord(type ?? 'table'),
        'source' in rest && rest.source !== null ? findPlatformName(rest.source) : undefined,
        id,
      ]
        .filter(Boolean)
        .join(' · '),
    }))
  const distinct = [...new Map(tables.map((one) => [one.value, one])).values()]
  return [
    ...distinct.slice(0, SHOWN_MAX),
    {
      value: NONE,
      label: 'No table',
      hint: 'This model has no table on this server, and is not compared.',
    },
  ]
}
