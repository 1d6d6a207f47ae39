// Owns handing the model over as a file: JSON for programs, Markdown for people. Never writes it itself.

import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { client, faultOf } from '../../api.ts';

const FORMATS = [
  ['markdown', 'Markdown, to be read', 'text/markdown'],
  ['json', 'JSON, the whole model', 'application/json'],
] as const;

/** The button and its menu. */
export const ModelDownload = ({
  knowledgebase,
  isOff,
  onFault,
}: {
  knowledgebase: string;
  isOff: boolean;
  onFault: (fault: { message: string; hint: string }) => void;
}) => {
  const hand = async (format: 'markdown' | 'json', type: string): Promise<void> => {
    try {
      const { name, text } = await client.ontology.document({ knowledgebase, format });
      const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
      const link = document.createElement('a');
      link.href = url;
      link.download = name;
      link.click();
      URL.revokeObjectURL(url);
    } catch (error) {
      onFault(faultOf(error));
    }
  };
  return (
    <Menu position="bottom-end">
      <Tooltip label="Download the model">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={28}
            disabled={isOff}
            aria-label="Download the model"
          >
            <IconDownload size={16} stroke={1.6} />
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown>
        {FORMATS.map(([format, word, type]) => (
          <Menu.Item key={format} onClick={() => void hand(format, type)}>
            {word}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};
