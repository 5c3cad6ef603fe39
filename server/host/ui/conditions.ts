import type { Target, UiAnswer, UiCondition, UiNode, UiState } from '@runcloud/protocol';
import { matchAll } from '@runcloud/protocol/terms';
import { DeviceFault } from '../../device/fault.ts';
import { type Finding, findTarget, inWords, listed, named, sentenceOf } from './find-target.ts';
import { quoted } from './outline.ts';
import type { UiFrames, UiLook } from './ui-frames.ts';

/** Whether something is so on a screen. */
export interface Judgement {
  readonly holds: boolean;
  readonly count: number;
  readonly element: UiNode | undefined;
  /** What is there instead, where it is not so; the frame gets its number when it is told. */
  readonly found: (frame: number) => string;
}

/** What is said of one element that was found. */
interface Claim {
  /** Absent where it can neither be so nor not be so. */
  readonly isSo: boolean | undefined;
  /** `is disabled` */
  readonly saying: string;
}

const TEXT_MAX = 120;

/** The field of a node that tells of each state. */
const FIELDS: Readonly<Record<UiState, string>> = {
  visible: 'frame',
  enabled: 'disabled',
  selected: 'selected',
  checked: 'checked',
  focused: 'focused',
};

/** Judges a screen; a condition on an element is neither so nor not so where there is not exactly one. Throws an `unsupported` fault. */
export function judge({ nodes, screen }: UiLook, condition: UiCondition): Judgement {
  const { target, not = false } = condition;
  const field = condition.value === undefined ? FIELDS[condition.is ?? 'visible'] : 'value';
  if (screen.missing?.includes(field)) {
    throw new DeviceFault('unsupported', `This device does not tell "${field}" of its elements.`);
  }
  const isOn = screen.screen === 'on';
  const seen = isOn ? nodes : [];
  const all = matchAll(seen, target);
  const count = all.length;
  const off = isOn ? undefined : () => 'The screen is off.';
  if (condition.count !== undefined) {
    const found = () =>
      count === 0 ? `No element fits ${inWords(target)}.` : `${count} fit ${inWords(target)}: ${listed(all)}.`;
    return { holds: (count === condition.count) !== not, count, element: undefined, found: off ?? found };
  }
  const finding = findTarget(seen, target);
  const element = finding.kind === 'one' ? finding.node : undefined;
  if (isVisibility(condition)) {
    const isUnclear = finding.kind === 'several' && finding.of !== target;
    const holds = !isUnclear && (finding.kind !== 'none') !== not;
    return { holds, count, element, found: off ?? ((frame) => presence(finding, target, frame)) };
  }
  if (finding.kind !== 'one') {
    return { holds: false, count, element, found: off ?? ((frame) => sentenceOf(finding, target, frame)) };
  }
  const { isSo, saying } = claimOf(finding.node, condition);
  const holds = isSo !== undefined && isSo !== not;
  return { holds, count, element, found: (frame) => `The ${named(finding.node)} of frame ${frame} ${saying}.` };
}

/** What a caller is told. */
export function answerOf({ holds, count, element, found }: Judgement, look: UiLook, frames: UiFrames): UiAnswer {
  const { frame } = frames.number(look);
  return {
    holds,
    frame,
    count,
    ...(element === undefined ? {} : { element: withoutChildren(element) }),
    ...(holds ? {} : { found: found(frame) }),
  };
}

const isVisibility = ({ is = 'visible', text, value }: UiCondition): boolean =>
  is === 'visible' && text === undefined && value === undefined;

function presence(finding: Finding, target: Target, frame: number): string {
  return finding.kind === 'one'
    ? `The ${named(finding.node)} is in frame ${frame}.`
    : sentenceOf(finding, target, frame);
}

function claimOf(node: UiNode, { is = 'visible', text, value }: UiCondition): Claim {
  if (text !== undefined) {
    const said = [node.name, node.value].filter((one) => one !== undefined);
    const isSo = said.some((one) => spaced(one) === spaced(text));
    return {
      isSo,
      saying: said.length === 0 ? 'has no text' : `has the text ${said.map(shown).join(' and the value ')}`,
    };
  }
  if (value !== undefined) {
    const isSo = node.value === undefined ? undefined : node.value === value;
    return { isSo, saying: node.value === undefined ? 'has no value' : `has the value ${shown(node.value)}` };
  }
  return stateOf(node, is);
}

function stateOf(node: UiNode, is: UiState): Claim {
  switch (is) {
    case 'visible':
      return { isSo: true, saying: 'is in sight' };
    case 'enabled':
      return { isSo: !node.disabled, saying: node.disabled ? 'is disabled' : 'is enabled' };
    case 'checked':
      if (node.checked === undefined) return { isSo: undefined, saying: 'is neither a switch nor a checkbox' };
      return { isSo: node.checked, saying: node.checked ? 'is checked' : 'is not checked' };
    default:
      return { isSo: node[is] ?? false, saying: node[is] ? `is ${is}` : `is not ${is}` };
  }
}

const spaced = (text: string): string => text.normalize('NFC').replaceAll(/\s+/g, ' ').trim();

const shown = (text: string): string => quoted(text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX - 1)}…` : text);

function withoutChildren({
  children: _children,
  offScreen: _offScreen,
  ...element
}: UiNode): NonNullable<UiAnswer['element']> {
  return element.actions
    ? { ...element, actions: [...element.actions] }
    : (element as NonNullable<UiAnswer['element']>);
}
