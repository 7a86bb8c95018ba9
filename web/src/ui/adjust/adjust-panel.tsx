/** The panel for rotation, mirroring, colors, and what a single click improves. */
import { FlipHorizontal2, FlipVertical2, RotateCcwSquare, RotateCwSquare } from 'lucide';
import type { VNode } from 'preact';
import { type ColorOperator, operatorMeanings, type Triple } from '../../../../src/core/image/model/color.ts';
import { message } from '../../messages/messages.ts';
import { linkedBrightness } from '../../model/view/color.ts';
import { plainColor } from '../../model/view-state.ts';
import { changeColor, changeView, stage, view } from '../../state/view.ts';
import { mirrorOnScreen, turnBy, turnTo } from '../../state/viewport.ts';
import { Button, IconButton } from '../common/button.tsx';
import { Choices } from '../common/fields.tsx';
import { Slider } from '../common/slider.tsx';
import { operatorNames } from '../common/words.ts';
import { OneClick } from './one-click.tsx';

const rounded = (value: number): number => Math.round(value * 100) / 100;

const withChannel = (values: Triple, channel: number, value: number): Triple => {
  const [red, green, blue] = values.map((old, index) => (index === channel ? value : old));
  return [red ?? 0, green ?? 0, blue ?? 0];
};

const mirrors = [
  ['horizontal', FlipVertical2, 'H'],
  ['vertical', FlipHorizontal2, 'V'],
] as const;

const channels = ['red', 'green', 'blue'] as const;

const operators = Object.keys(operatorMeanings) as readonly ColorOperator[];

function Orientation(): VNode {
  const { rotation, mirror } = view.value;
  return (
    <section class="panel-section">
      <h3>{message('turn')}</h3>
      <div class="button-row row wrap">
        <IconButton icon={RotateCcwSquare} name={message('turn-left')} shortcut="Shift+R" onClick={() => turnBy(-90)} />
        <IconButton icon={RotateCwSquare} name={message('turn-right')} shortcut="R" onClick={() => turnBy(90)} />
        {mirrors.map(([direction, icon, shortcut]) => (
          <IconButton
            key={direction}
            icon={icon}
            name={message(`mirror-${direction}`)}
            shortcut={shortcut}
            pressed={mirror[direction]}
            onClick={() => mirrorOnScreen(direction)}
          />
        ))}
      </div>
      <Slider
        name={message('angle')}
        value={rounded(rotation > 180 ? rotation - 360 : rotation)}
        min={-180}
        max={180}
        step={0.5}
        onChange={turnTo}
      />
    </section>
  );
}

function Operators(): VNode {
  const { operation } = view.value.color;
  return (
    <Choices
      legend={message('color-operation')}
      choices={(['', ...operators] as const).map((name) => [
        name,
        message(name === '' ? 'colop-none' : operatorNames[name]),
      ])}
      chosen={operation}
      onChoose={(name) => changeColor({ operation: name })}
    />
  );
}

function Channels(): VNode {
  const { multiply, add } = view.value.color;
  return (
    <details class="channels" open={[...multiply, ...add].some((value) => value !== 0)}>
      <summary>{message('channels')}</summary>
      {channels.map((name, channel) => (
        <div key={name} class="channel">
          <Slider
            name={message('channel-times', { name: message(name) })}
            tone={name}
            value={multiply[channel] ?? 0}
            min={-3}
            max={3}
            step={0.05}
            onChange={(value) => changeColor({ multiply: withChannel(multiply, channel, value) })}
          />
          <Slider
            name={message('channel-plus', { name: message(name) })}
            tone={name}
            value={add[channel] ?? 0}
            min={-255}
            max={255}
            step={1}
            onChange={(value) => changeColor({ add: withChannel(add, channel, value) })}
          />
        </div>
      ))}
    </details>
  );
}

function Colors(): VNode {
  const { color } = view.value;
  return (
    <section class="panel-section">
      <h3>{message('color')}</h3>
      {stage.value?.image?.info.isReadable === false && <p class="soft">{message('colors-not-shared')}</p>}
      <Slider
        name={message('brightness')}
        value={color.brightness}
        min={-255}
        max={255}
        step={1}
        onChange={(brightness) => changeColor({ brightness })}
      />
      <Slider
        name={message('contrast')}
        value={color.contrast}
        min={-4}
        max={4}
        step={0.05}
        onChange={(contrast) => changeColor({ contrast, brightness: linkedBrightness(contrast) })}
      />
      <p class="soft">{message('brightness-follows')}</p>
      <Channels />
      <Operators />
      <Button onClick={() => changeView({ color: plainColor, effects: [] })}>{message('reset-color')}</Button>
    </section>
  );
}

export const AdjustPanel = (): VNode => (
  <>
    <OneClick />
    <Orientation />
    <Colors />
  </>
);
