// Owns what leaves the inbox: a body as it came, a choice with its reasons as one file, a report for the producer's
// owner. Never changes a reject.

import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { client, faultOf, fetchExport } from '../api.ts';
import { go } from '../app/router.ts';
import { bridge } from '../bridge.ts';
import { count } from '../ui/format.ts';
import { Toast } from '../ui/toast.tsx';
import { downloadBody } from './download.ts';
import { givenSelection } from './given.ts';
import { type Outgoing, ReportDialog } from './report-dialog.tsx';
import type { BodyName } from './use-body.ts';
import { follow } from './work.ts';

interface OutMenuProps {
  readonly knowledgebase: string;
  /** The reject that is shown; null for none. */
  readonly body: BodyName | null;
  readonly choices: readonly Outgoing[];
  readonly isOff: boolean;
}

/** The menu. */
export const OutMenu = ({ knowledgebase, body, choices, isOff }: OutMenuProps) => {
  const [report, setReport] = useState<Outgoing | null>(null);
  const tell = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      const { message, hint } = faultOf(error);
      notifications.show({
        closeButtonProps: { 'aria-label': 'Close' },
        message: <Toast mark="error">{`${message} ${hint}`.trim()}</Toast>,
        autoClose: false,
      });
    }
  };
  const some = choices.filter((choice) => choice.count > 0);
  return (
    <>
      <Menu position="bottom-end" width={300}>
        <Menu.Target>
          <Tooltip label="Download, export, report">
            <ActionIcon
              variant="subtle"
              color="gray"
              size={28}
              aria-label="Download, export, report"
              disabled={isOff || (body === null && some.length === 0)}
            >
              <IconDownload size={16} stroke={1.6} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          {body === null ? null : (
            <Menu.Item onClick={() => void tell(() => downloadBody(body))}>
              Download this body as it came
            </Menu.Item>
          )}
          {some.map((choice) => (
            <Menu.Item
              key={`export ${choice.words}`}
              onClick={() => void tell(() => exportRejects(knowledgebase, choice))}
            >
              Export {choice.words} with reasons
            </Menu.Item>
          ))}
          {some.length === 0 ? null : <Menu.Divider />}
          {some.map((choice) => (
            <Menu.Item key={`report ${choice.words}`} onClick={() => setReport(choice)}>
              Report on {choice.words}…
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <ReportDialog knowledgebase={knowledgebase} what={report} onClose={() => setReport(null)} />
    </>
  );
};

const exportRejects = async (
  knowledgebase: string,
  { selection, count: rejects }: Outgoing,
): Promise<void> => {
  const path = bridge ? await bridge.saveDialog('rejects.tar') : null;
  if (bridge && path === null) return;
  const job = await follow(
    knowledgebase,
    await client.rejects.export({
      ...{ knowledgebase, selection: givenSelection(selection), name: 'rejects', path },
    }),
  );
  if (job.state === 'cancelled') return;
  if (!bridge) await fetchExport(job.id, String(job.result?.file ?? 'rejects.tar'));
  const toast = notifications.show({
    closeButtonProps: { 'aria-label': 'Close' },
    message: (
      <Toast
        mark="landed"
        action="Show"
        onAction={() => {
          notifications.hide(toast);
          if (bridge) void bridge.reveal(String(job.result?.path ?? path));
          else go({ screen: 'activity' });
        }}
      >
        {count(rejects)} {rejects === 1 ? 'reject' : 'rejects'} exported with reasons
      </Toast>
    ),
  });
};
