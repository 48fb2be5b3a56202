"""Public checks of forward_backward. The cases come first, then recorded answers, then the comparisons."""
import dataclasses
from collections.abc import Mapping
import numpy as np
import difflib
from otter.test_files import test_case

def public__small_matrix():
    return np.array([[0.5, -1.0], [0.75, 0.25]])


@test_case(name='lab_fault_matrix/forward_backward/three_linear_steps', hidden=False)
def three_linear_steps(env):
    ask = Ask(env, 'lab_fault_matrix/forward_backward/three_linear_steps', SETTING)
    ask.agrees(public__small_matrix(), np.array([1.0, -2.0]), np.array([0.5, 0.25]), 3, "linear")


@test_case(name='lab_fault_matrix/forward_backward/three_tanh_steps', hidden=False)
def three_tanh_steps(env):
    ask = Ask(env, 'lab_fault_matrix/forward_backward/three_tanh_steps', SETTING)
    ask.agrees(public__small_matrix(), np.array([0.8, -0.4]), np.array([-0.5, 0.25]), 3, "tanh")


@test_case(name='lab_fault_matrix/forward_backward/types_and_shapes', hidden=False, success_message='public checks passed; 7 hidden checks run at grading')
def types_and_shapes(env):
    ask = Ask(env, 'lab_fault_matrix/forward_backward/types_and_shapes', SETTING)
    ask.has_types_and_shapes(public__small_matrix(), np.array([0.8, -0.4]), np.array([0.6, 0.8]), 4, "tanh")


ANSWERS = {
    'lab_fault_matrix/forward_backward/three_linear_steps': [{'loss': 1.548828125, 'states': np.array([[1.0, -2.0], [2.5, 0.25], [1.0, 1.9375]], dtype='<f8').reshape((3, 2)), 'dW': np.array([[2.765625, -2.90625], [4.140625, 0.578125]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[0.69921875, -1.53515625], [1.515625, -0.078125], [0.5, 1.6875]], dtype='<f8').reshape((3, 2))}],
    'lab_fault_matrix/forward_backward/three_tanh_steps': [{'loss': 0.12194193955, 'states': np.array([[0.664036770268, -0.379948962255], [0.611909022872, 0.382547383001], [-0.0764434456532, 0.503936457348]], dtype='<f8').reshape((3, 2)), 'dW': np.array([[0.404144837956, 0.0772698546345], [-0.0959210590239, 0.193687593953]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[-0.0721042047615, -0.25699042879], [0.220592142372, -0.319028248753], [0.421081459103, 0.189448798055]], dtype='<f8').reshape((3, 2))}],
    'lab_fault_matrix/forward_backward/types_and_shapes': [{'loss': 0.866610379099, 'states': np.array([[0.664036770268, -0.379948962255], [0.611909022872, 0.382547383001], [-0.0764434456532, 0.503936457348], [-0.494619890093, 0.0685438807351]], dtype='<f8').reshape((4, 2)), 'dW': np.array([[-0.568678014202, -0.753949358412], [0.958876362703, -0.531221152142]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[0.364145205216, 0.2582836184], [-0.0726352761572, 0.916901206781], [-0.953819362105, 0.481064852983], [-0.826822408474, -0.728019545615]], dtype='<f8').reshape((4, 2))}],
}

HINTS = {
    'lab_fault_matrix/forward_backward/three_tanh_steps': [('Put a large number into the first input. Can the first state be that large, too?', [(None, {'loss': 0.112676906678, 'states': np.array([[0.8, -0.4], [0.664036770268, 0.46211715726], [-0.129369703871, 0.546626022035]], dtype='<f8').reshape((3, 2)), 'dW': np.array([[0.393255182864, 0.0927770282289], [-0.0584512971411, 0.194401207042]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[-0.0897428164889, -0.250504833149], [0.189077623702, -0.245708837787], [0.364427234661, 0.207994164288]], dtype='<f8').reshape((3, 2))}, (False, False, False, False, False))]), ('A well-known shortcut gives the slope of tanh from one number. Is that number the one before the squashing or the one after it?', [(None, {'loss': 0.12194193955, 'states': np.array([[0.664036770268, -0.379948962255], [0.611909022872, 0.382547383001], [-0.0764434456532, 0.503936457348]], dtype='<f8').reshape((3, 2)), 'dW': np.array([[0.369777465574, 0.0969271021901], [-0.102140613771, 0.187274980545]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[-0.0548881468269, -0.208159706864], [0.168845842855, -0.315853327929], [0.421071773385, 0.175839227668]], dtype='<f8').reshape((3, 2))}, (False, False, False, False, False))]), ('Take two units of which only the first one feeds the second. From which of them can a gradient come back to the other, and does yours?', [(None, {'loss': 0.12194193955, 'states': np.array([[0.664036770268, -0.379948962255], [0.611909022872, 0.382547383001], [-0.0764434456532, 0.503936457348]], dtype='<f8').reshape((3, 2)), 'dW': np.array([[0.266425126652, 0.156070402639], [0.321793831011, -0.0453207653635]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[-0.169633211802, 0.0747847287657], [0.0131944236447, 0.310025606], [0.421081459103, 0.189448798055]], dtype='<f8').reshape((3, 2))}, (False, False, False, False, False))]), ('How many times does a run of five steps use the matrix? Which of these uses have a say in your gradient?', [(None, {'loss': 0.12194193955, 'states': np.array([[0.664036770268, -0.379948962255], [0.611909022872, 0.382547383001], [-0.0764434456532, 0.503936457348]], dtype='<f8').reshape((3, 2)), 'dW': np.array([[0.25766354419, 0.16108361021], [0.115925428902, 0.0724731419087]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[-0.0721042047615, -0.25699042879], [0.220592142372, -0.319028248753], [0.421081459103, 0.189448798055]], dtype='<f8').reshape((3, 2))}, (False, False, False, False, False))]), ('The same matrix is at work in every step. What becomes of the contributions that you visited earlier?', [(None, {'loss': 0.12194193955, 'states': np.array([[0.664036770268, -0.379948962255], [0.611909022872, 0.382547383001], [-0.0764434456532, 0.503936457348]], dtype='<f8').reshape((3, 2)), 'dW': np.array([[0.146481293767, -0.0838137555757], [-0.211846487926, 0.121214452044]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[-0.0721042047615, -0.25699042879], [0.220592142372, -0.319028248753], [0.421081459103, 0.189448798055]], dtype='<f8').reshape((3, 2))}, (False, False, False, False, False))]), ('Write down one step and differentiate it for the matrix. Which vector stands next to the matrix there?', [(None, {'loss': 0.12194193955, 'states': np.array([[0.664036770268, -0.379948962255], [0.611909022872, 0.382547383001], [-0.0764434456532, 0.503936457348]], dtype='<f8').reshape((3, 2)), 'dW': np.array([[0.102793404657, 0.29658524553], [-0.209698382861, -0.026573265523]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[-0.0721042047615, -0.25699042879], [0.220592142372, -0.319028248753], [0.421081459103, 0.189448798055]], dtype='<f8').reshape((3, 2))}, (False, False, False, False, False))]), ('Differentiate the loss that you return by hand. Is the result the one your backward pass starts from?', [(None, {'loss': 0.243883879101, 'states': np.array([[0.664036770268, -0.379948962255], [0.611909022872, 0.382547383001], [-0.0764434456532, 0.503936457348]], dtype='<f8').reshape((3, 2)), 'dW': np.array([[0.404144837956, 0.0772698546345], [-0.0959210590239, 0.193687593953]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[-0.0721042047615, -0.25699042879], [0.220592142372, -0.319028248753], [0.421081459103, 0.189448798055]], dtype='<f8').reshape((3, 2))}, (False, False, False, False, False))]), ('Say aloud which variable your rows belong to. Where does an input enter, in front of the activation or behind it?', [(None, {'loss': 0.12194193955, 'states': np.array([[0.664036770268, -0.379948962255], [0.611909022872, 0.382547383001], [-0.0764434456532, 0.503936457348]], dtype='<f8').reshape((3, 2)), 'dW': np.array([[0.404144837956, 0.0772698546345], [-0.0959210590239, 0.193687593953]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[-0.128975115379, -0.30034920456], [0.352627328093, -0.37371925959], [0.423556554347, 0.253936457348]], dtype='<f8').reshape((3, 2))}, (False, False, False, False, False))]), ('Imagine that a later input were not zero but a tiny bit more. Would the loss notice?', [(None, {'loss': 0.12194193955, 'states': np.array([[0.664036770268, -0.379948962255], [0.611909022872, 0.382547383001], [-0.0764434456532, 0.503936457348]], dtype='<f8').reshape((3, 2)), 'dW': np.array([[0.404144837956, 0.0772698546345], [-0.0959210590239, 0.193687593953]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[-0.0721042047615, -0.25699042879], [0.0, 0.0], [0.0, 0.0]], dtype='<f8').reshape((3, 2))}, (False, False, False, False, False))]), ('Take a run of two steps and name the input that each row belongs to. Is the very first one among them?', [(None, {'loss': 0.12194193955, 'states': np.array([[0.664036770268, -0.379948962255], [0.611909022872, 0.382547383001], [-0.0764434456532, 0.503936457348]], dtype='<f8').reshape((3, 2)), 'dW': np.array([[0.404144837956, 0.0772698546345], [-0.0959210590239, 0.193687593953]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[0.220592142372, -0.319028248753], [0.421081459103, 0.189448798055], [0.421081459103, 0.189448798055]], dtype='<f8').reshape((3, 2))}, (False, False, False, False, False))]), ('Your sweep visits the last input first. Does the docstring list the rows in the order in which you meet them?', [(None, {'loss': 0.12194193955, 'states': np.array([[0.664036770268, -0.379948962255], [0.611909022872, 0.382547383001], [-0.0764434456532, 0.503936457348]], dtype='<f8').reshape((3, 2)), 'dW': np.array([[0.404144837956, 0.0772698546345], [-0.0959210590239, 0.193687593953]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[0.421081459103, 0.189448798055], [0.220592142372, -0.319028248753], [-0.0721042047615, -0.25699042879]], dtype='<f8').reshape((3, 2))}, (False, False, False, False, False))]), ('How many inputs does this experiment read, and at which steps are they something other than zero?', [(None, {'loss': 0.909451376998, 'states': np.array([[0.664036770268, -0.379948962255], [0.907287557226, 0.00304032776918], [0.848452769947, 0.274039160096]], dtype='<f8').reshape((3, 2)), 'dW': np.array([[0.366853444983, -0.0126613187735], [-0.226966908354, 0.141475988037]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[-0.145890927967, -0.110711713006], [0.0363463813375, -0.372177328539], [0.377739238877, 0.0222338802014]], dtype='<f8').reshape((3, 2))}, (False, False, False, False, False))])],
    'lab_fault_matrix/forward_backward/types_and_shapes': [('Put a large number into the first input. Can the first state be that large, too?', [(None, {'loss': 0.944666453877, 'states': np.array([[0.8, -0.4], [0.664036770268, 0.46211715726], [-0.129369703871, 0.546626022035], [-0.545049198486, 0.0396084950499]], dtype='<f8').reshape((4, 2)), 'dW': np.array([[-0.599425950066, -0.847046507174], [1.05365732707, -0.550211798542]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[0.584093986106, 0.295347832515], [-0.0862712889827, 0.83630617413], [-0.955573511406, 0.431294026791], [-0.804879552725, -0.759198577755]], dtype='<f8').reshape((4, 2))}, (False, False, False, False, False))]), ('A well-known shortcut gives the slope of tanh from one number. Is that number the one before the squashing or the one after it?', [(None, {'loss': 0.866610379099, 'states': np.array([[0.664036770268, -0.379948962255], [0.611909022872, 0.382547383001], [-0.0764434456532, 0.503936457348], [-0.494619890093, 0.0685438807351]], dtype='<f8').reshape((4, 2)), 'dW': np.array([[-0.559426411977, -0.714745388194], [0.878457354089, -0.537891728032]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[0.218856013745, 0.24590823444], [-0.0772315208329, 0.86206550924], [-0.926972538804, 0.409150137447], [-0.772872253784, -0.728008742741]], dtype='<f8').reshape((4, 2))}, (False, False, False, False, False))]), ('Take two units of which only the first one feeds the second. From which of them can a gradient come back to the other, and does yours?', [(None, {'loss': 0.866610379099, 'states': np.array([[0.664036770268, -0.379948962255], [0.611909022872, 0.382547383001], [-0.0764434456532, 0.503936457348], [-0.494619890093, 0.0685438807351]], dtype='<f8').reshape((4, 2)), 'dW': np.array([[0.568138189476, -0.47642177058], [-0.262359806932, -0.623360483321]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[0.0914357173949, 0.318529406579], [0.472182156548, 0.0725370630845], [0.312769895953, -0.598421322304], [-0.826822408474, -0.728019545615]], dtype='<f8').reshape((4, 2))}, (False, False, False, False, False))]), ('How many times does a run of five steps use the matrix? Which of these uses have a say in your gradient?', [(None, {'loss': 0.866610379099, 'states': np.array([[0.664036770268, -0.379948962255], [0.611909022872, 0.382547383001], [-0.0764434456532, 0.503936457348], [-0.494619890093, 0.0685438807351]], dtype='<f8').reshape((4, 2)), 'dW': np.array([[0.0632051538471, -0.416665955383], [0.0556523225697, -0.366875590697]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[0.364145205216, 0.2582836184], [-0.0726352761572, 0.916901206781], [-0.953819362105, 0.481064852983], [-0.826822408474, -0.728019545615]], dtype='<f8').reshape((4, 2))}, (False, False, False, False, False))]), ('The same matrix is at work in every step. What becomes of the contributions that you visited earlier?', [(None, {'loss': 0.866610379099, 'states': np.array([[0.664036770268, -0.379948962255], [0.611909022872, 0.382547383001], [-0.0764434456532, 0.503936457348], [-0.494619890093, 0.0685438807351]], dtype='<f8').reshape((4, 2)), 'dW': np.array([[-0.0482324941869, 0.0275976977991], [0.608856116006, -0.348375662007]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[0.364145205216, 0.2582836184], [-0.0726352761572, 0.916901206781], [-0.953819362105, 0.481064852983], [-0.826822408474, -0.728019545615]], dtype='<f8').reshape((4, 2))}, (False, False, False, False, False))]), ('Write down one step and differentiate it for the matrix. Which vector stands next to the matrix there?', [(None, {'loss': 0.866610379099, 'states': np.array([[0.664036770268, -0.379948962255], [0.611909022872, 0.382547383001], [-0.0764434456532, 0.503936457348], [-0.494619890093, 0.0685438807351]], dtype='<f8').reshape((4, 2)), 'dW': np.array([[0.437429866517, -0.565124401652], [0.884378814205, 0.543282989984]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[0.364145205216, 0.2582836184], [-0.0726352761572, 0.916901206781], [-0.953819362105, 0.481064852983], [-0.826822408474, -0.728019545615]], dtype='<f8').reshape((4, 2))}, (False, False, False, False, False))]), ('Differentiate the loss that you return by hand. Is the result the one your backward pass starts from?', [(None, {'loss': 1.7332207582, 'states': np.array([[0.664036770268, -0.379948962255], [0.611909022872, 0.382547383001], [-0.0764434456532, 0.503936457348], [-0.494619890093, 0.0685438807351]], dtype='<f8').reshape((4, 2)), 'dW': np.array([[-0.568678014202, -0.753949358412], [0.958876362703, -0.531221152142]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[0.364145205216, 0.2582836184], [-0.0726352761572, 0.916901206781], [-0.953819362105, 0.481064852983], [-0.826822408474, -0.728019545615]], dtype='<f8').reshape((4, 2))}, (False, False, False, False, False))]), ('Say aloud which variable your rows belong to. Where does an input enter, in front of the activation or behind it?', [(None, {'loss': 0.866610379099, 'states': np.array([[0.664036770268, -0.379948962255], [0.611909022872, 0.382547383001], [-0.0764434456532, 0.503936457348], [-0.494619890093, 0.0685438807351]], dtype='<f8').reshape((4, 2)), 'dW': np.array([[-0.568678014202, -0.753949358412], [0.958876362703, -0.531221152142]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[0.651358267007, 0.301860577853], [-0.116111041315, 1.07408557535], [-0.959425863448, 0.644817522071], [-1.09461989009, -0.731456119265]], dtype='<f8').reshape((4, 2))}, (False, False, False, False, False))]), ('Imagine that a later input were not zero but a tiny bit more. Would the loss notice?', [(None, {'loss': 0.866610379099, 'states': np.array([[0.664036770268, -0.379948962255], [0.611909022872, 0.382547383001], [-0.0764434456532, 0.503936457348], [-0.494619890093, 0.0685438807351]], dtype='<f8').reshape((4, 2)), 'dW': np.array([[-0.568678014202, -0.753949358412], [0.958876362703, -0.531221152142]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[0.364145205216, 0.2582836184], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]], dtype='<f8').reshape((4, 2))}, (False, False, False, False, False))]), ('Take a run of two steps and name the input that each row belongs to. Is the very first one among them?', [(None, {'loss': 0.866610379099, 'states': np.array([[0.664036770268, -0.379948962255], [0.611909022872, 0.382547383001], [-0.0764434456532, 0.503936457348], [-0.494619890093, 0.0685438807351]], dtype='<f8').reshape((4, 2)), 'dW': np.array([[-0.568678014202, -0.753949358412], [0.958876362703, -0.531221152142]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[-0.0726352761572, 0.916901206781], [-0.953819362105, 0.481064852983], [-0.826822408474, -0.728019545615], [-0.826822408474, -0.728019545615]], dtype='<f8').reshape((4, 2))}, (False, False, False, False, False))]), ('Your sweep visits the last input first. Does the docstring list the rows in the order in which you meet them?', [(None, {'loss': 0.866610379099, 'states': np.array([[0.664036770268, -0.379948962255], [0.611909022872, 0.382547383001], [-0.0764434456532, 0.503936457348], [-0.494619890093, 0.0685438807351]], dtype='<f8').reshape((4, 2)), 'dW': np.array([[-0.568678014202, -0.753949358412], [0.958876362703, -0.531221152142]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[-0.826822408474, -0.728019545615], [-0.953819362105, 0.481064852983], [-0.0726352761572, 0.916901206781], [0.364145205216, 0.2582836184]], dtype='<f8').reshape((4, 2))}, (False, False, False, False, False))]), ('How many inputs does this experiment read, and at which steps are they something other than zero?', [(None, {'loss': 0.136918480489, 'states': np.array([[0.664036770268, -0.379948962255], [0.907287557226, 0.00304032776918], [0.848452769947, 0.274039160096], [0.739867800176, 0.295744152783]], dtype='<f8').reshape((4, 2)), 'dW': np.array([[-0.0456399306446, 0.0283421491023], [-0.509146869686, -0.144295896956]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[0.0112421358957, 0.0353228007502], [-0.0296394149825, 0.0465718378197], [-0.0878093679306, -0.164948398463], [0.063303556293, -0.460151309273]], dtype='<f8').reshape((4, 2))}, (False, False, False, False, False))]), ('Print the shape of your loss. Is it one number, or a matrix with one number in it?', [(None, {'loss': np.array([[0.866610379099]], dtype='<f8').reshape((1, 1)), 'states': np.array([[0.664036770268, -0.379948962255], [0.611909022872, 0.382547383001], [-0.0764434456532, 0.503936457348], [-0.494619890093, 0.0685438807351]], dtype='<f8').reshape((4, 2)), 'dW': np.array([[-0.568678014202, -0.753949358412], [0.958876362703, -0.531221152142]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[0.364145205216, 0.2582836184], [-0.0726352761572, 0.916901206781], [-0.953819362105, 0.481064852983], [-0.826822408474, -0.728019545615]], dtype='<f8').reshape((4, 2))}, (False, False, False, False, False))])],
    'lab_fault_matrix/forward_backward/three_linear_steps': [('A straight line and a squashing curve: is the one as steep as the other everywhere? Follow the linear cell on its way back.', [(None, {'loss': 1.548828125, 'states': np.array([[1.0, -2.0], [2.5, 0.25], [1.0, 1.9375]], dtype='<f8').reshape((3, 2)), 'dW': np.array([[18.2984161377, -36.5968322754], [-12.707233429, 1.01657867432]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[0.0, 55.7121419907], [18.2984161377, -1.08919143677], [0.0, -4.64721679688]], dtype='<f8').reshape((3, 2))}, (False, False, False, False, False))]), ('Take two units of which only the first one feeds the second. From which of them can a gradient come back to the other, and does yours?', [(None, {'loss': 1.548828125, 'states': np.array([[1.0, -2.0], [2.5, 0.25], [1.0, 1.9375]], dtype='<f8').reshape((3, 2)), 'dW': np.array([[-0.1875, 3.0], [5.015625, -1.171875]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[-1.515625, -0.87890625], [-1.4375, 0.796875], [0.5, 1.6875]], dtype='<f8').reshape((3, 2))}, (False, False, False, False, False))]), ('How many times does a run of five steps use the matrix? Which of these uses have a say in your gradient?', [(None, {'loss': 1.548828125, 'states': np.array([[1.0, -2.0], [2.5, 0.25], [1.0, 1.9375]], dtype='<f8').reshape((3, 2)), 'dW': np.array([[1.25, 0.125], [4.21875, 0.421875]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[0.69921875, -1.53515625], [1.515625, -0.078125], [0.5, 1.6875]], dtype='<f8').reshape((3, 2))}, (False, False, False, False, False))]), ('The same matrix is at work in every step. What becomes of the contributions that you visited earlier?', [(None, {'loss': 1.548828125, 'states': np.array([[1.0, -2.0], [2.5, 0.25], [1.0, 1.9375]], dtype='<f8').reshape((3, 2)), 'dW': np.array([[1.515625, -3.03125], [-0.078125, 0.15625]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[0.69921875, -1.53515625], [1.515625, -0.078125], [0.5, 1.6875]], dtype='<f8').reshape((3, 2))}, (False, False, False, False, False))]), ('Write down one step and differentiate it for the matrix. Which vector stands next to the matrix there?', [(None, {'loss': 1.548828125, 'states': np.array([[1.0, -2.0], [2.5, 0.25], [1.0, 1.9375]], dtype='<f8').reshape((3, 2)), 'dW': np.array([[4.2890625, 1.34765625], [1.4921875, 3.25]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[0.69921875, -1.53515625], [1.515625, -0.078125], [0.5, 1.6875]], dtype='<f8').reshape((3, 2))}, (False, False, False, False, False))]), ('Differentiate the loss that you return by hand. Is the result the one your backward pass starts from?', [(None, {'loss': 3.09765625, 'states': np.array([[1.0, -2.0], [2.5, 0.25], [1.0, 1.9375]], dtype='<f8').reshape((3, 2)), 'dW': np.array([[2.765625, -2.90625], [4.140625, 0.578125]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[0.69921875, -1.53515625], [1.515625, -0.078125], [0.5, 1.6875]], dtype='<f8').reshape((3, 2))}, (False, False, False, False, False))]), ('Imagine that a later input were not zero but a tiny bit more. Would the loss notice?', [(None, {'loss': 1.548828125, 'states': np.array([[1.0, -2.0], [2.5, 0.25], [1.0, 1.9375]], dtype='<f8').reshape((3, 2)), 'dW': np.array([[2.765625, -2.90625], [4.140625, 0.578125]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[0.69921875, -1.53515625], [0.0, 0.0], [0.0, 0.0]], dtype='<f8').reshape((3, 2))}, (False, False, False, False, False))]), ('Take a run of two steps and name the input that each row belongs to. Is the very first one among them?', [(None, {'loss': 1.548828125, 'states': np.array([[1.0, -2.0], [2.5, 0.25], [1.0, 1.9375]], dtype='<f8').reshape((3, 2)), 'dW': np.array([[2.765625, -2.90625], [4.140625, 0.578125]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[1.515625, -0.078125], [0.5, 1.6875], [0.5, 1.6875]], dtype='<f8').reshape((3, 2))}, (False, False, False, False, False))]), ('Your sweep visits the last input first. Does the docstring list the rows in the order in which you meet them?', [(None, {'loss': 1.548828125, 'states': np.array([[1.0, -2.0], [2.5, 0.25], [1.0, 1.9375]], dtype='<f8').reshape((3, 2)), 'dW': np.array([[2.765625, -2.90625], [4.140625, 0.578125]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[0.5, 1.6875], [1.515625, -0.078125], [0.69921875, -1.53515625]], dtype='<f8').reshape((3, 2))}, (False, False, False, False, False))]), ('How many inputs does this experiment read, and at which steps are they something other than zero?', [(None, {'loss': 8.001953125, 'states': np.array([[1.0, -2.0], [3.5, -1.75], [4.5, 0.1875]], dtype='<f8').reshape((3, 2)), 'dW': np.array([[15.953125, -10.90625], [-4.234375, 8.140625]], dtype='<f8').reshape((2, 2)), 'dx': np.array([[-2.03515625, -2.95703125], [1.953125, -4.015625], [4.0, -0.0625]], dtype='<f8').reshape((3, 2))}, (False, False, False, False, False))])],
}

class Mismatch(Exception):
    """The first difference found by :func:`compare`: a text key and its fields."""

    def __init__(self, key, /, **fields):
        super().__init__(key)
        self.key = key
        self.fields = fields


class Opaque:
    """A value that is not plain data (a matrix, a masked or object array, any other object), by its type's name."""

    def __init__(self, type_name):
        self.type_name = type_name


def plain(value):
    """Reduce a value to numbers, strings, None, base arrays, lists, tuples and dicts; the rest becomes Opaque."""
    if value is None or isinstance(value, (bool, int, float, complex, str, np.generic)):
        return value
    if type(value) is np.ndarray:
        return value if value.dtype.kind in "biufc" else Opaque(f"numpy array of dtype {value.dtype}")
    if isinstance(value, np.ndarray):
        return Opaque(f"{type(value).__module__}.{type(value).__qualname__}")
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, tuple):
        return tuple(plain(item) for item in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return tuple(plain(getattr(value, field.name)) for field in dataclasses.fields(value))
    # A value that crossed the border as its type's name stands for that type, not for itself.
    return Opaque(getattr(value, "type_name", None) or type(value).__qualname__)


def copied(value):
    """Copy arrays, lists, tuples and dicts all the way down; functions and scalars are shared."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(copied(item) for item in value)
    return value


def identical(first, second):
    """Whether two arguments are equal bit for bit, types included; functions count as equal to themselves."""
    if type(first) is not type(second):
        return False
    if isinstance(first, np.ndarray):
        return first.dtype == second.dtype and first.shape == second.shape and first.tobytes() == second.tobytes()
    if isinstance(first, dict):
        return list(first) == list(second) and all(identical(first[key], second[key]) for key in first)
    if isinstance(first, (list, tuple)):
        return len(first) == len(second) and all(map(identical, first, second))
    return callable(first) or first == second or (first != first and second != second)


def describe(value):
    """Say what a value is on one line: small ones in full, larger ones by dtype and shape."""
    if isinstance(value, Opaque):
        return f"a {value.type_name}"
    if isinstance(value, np.ndarray):
        kind = f"{value.dtype} {value.shape}".replace(",)", ",)")
        if 0 < value.size <= 6:
            return f"{kind} {np.array2string(value, precision=5, separator=', ', floatmode='maxprec')}".replace("\n", "")
        return kind
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {describe(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        text = "[" + ", ".join(describe(item) for item in value[:6]) + (", ..." if len(value) > 6 else "") + "]"
        return text if isinstance(value, list) else "(" + text[1:-1] + ")"
    if callable(value):
        return "a function"
    if isinstance(value, float):
        return f"{value:.6g}"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def as_array(value, where):
    """Turn a plain answer into a real numeric array, or raise Mismatch. Lists and tuples of rows are converted."""
    if value is None:
        raise Mismatch("returned_none", where=where)
    if isinstance(value, Opaque):
        raise Mismatch("not_plain", where=where, got=value.type_name)
    if isinstance(value, (str, dict)):
        raise Mismatch("wrong_type", where=where, expected="a numpy array", got=type(value).__name__)
    try:
        array = np.asarray(value)
    except (ValueError, TypeError, OverflowError):
        raise Mismatch("ragged", where=where) from None
    if array.dtype.kind not in "biufc":
        raise Mismatch("not_plain", where=where, got=f"{type(value).__name__} of dtype {array.dtype}")
    if array.dtype.kind == "c":
        if np.any(array.imag):
            raise Mismatch("complex_result", where=where)
        array = array.real
    return array


@np.errstate(all="ignore")  # infinities and NaN are answers to judge, not accidents to warn of
def compare_arrays(expected, got, allowed, where, strict):
    """Shape, finiteness, values of one array; `allowed(expected)` gives the permitted absolute error."""
    got = as_array(got, where)
    if expected.dtype.kind == "b" and strict and got.dtype.kind != "b":
        raise Mismatch("wrong_type", where=where, expected="a bool array", got=f"an array of dtype {got.dtype}")
    if expected.dtype.kind in "iu" and strict and got.dtype.kind not in "iu" and got.size:
        raise Mismatch("wrong_type", where=where, expected="integers", got=f"dtype {got.dtype}")
    if got.shape != expected.shape:
        squeezed = tuple(n for n in got.shape if n != 1) == tuple(n for n in expected.shape if n != 1)
        if strict or not squeezed:
            alike = not squeezed and got.size == expected.size and agrees(np.sort(expected, None), np.sort(got, None), allowed)
            raise Mismatch("extra_axis" if squeezed else "wrong_shape", where=where, expected=expected.shape, got=got.shape,
                           remark_key=("remark_right_values", {}) if alike else None)
        got = got.reshape(expected.shape)
    if expected.dtype.kind in "biu" and got.dtype.kind in "biu":
        wrong = expected != got
    else:
        expected, got = expected.astype(float), got.astype(float)
        finite = np.isfinite(expected)
        strange = finite & ~np.isfinite(got)
        if strange.any():
            index = tuple(int(i) for i in np.argwhere(strange)[0])
            raise Mismatch("not_finite", where=where, count=int(strange.sum()), size=expected.size, index=index,
                           got=describe(got[index]), expected=describe(expected[index]))
        wrong = np.where(finite, np.abs(np.where(finite, got - np.where(finite, expected, 0), 0)) > allowed(expected),
                         ~((expected == got) | (np.isnan(expected) & np.isnan(got))))
    if wrong.any():
        index = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise Mismatch("wrong_value" if expected.shape else "wrong_number", where=where, shape=expected.shape,
                       index=index[0] if len(index) == 1 else index, count=int(wrong.sum()), size=expected.size,
                       expected=describe(expected[index]), got=describe(got[index]),
                       remark_key=resemblance(expected, got, allowed))


def resemblance(expected, got, allowed):
    """Name a familiar way of being wrong: the transpose, or one constant factor everywhere; else None."""
    is_float = expected.dtype.kind == "f"
    expected, got, limit = expected.astype(float), got.astype(float), allowed(expected)
    if expected.ndim == 2 and expected.shape[0] == expected.shape[1] and np.all(np.abs(got.T - expected) <= limit):
        return ("remark_transposed", {})
    scale = float(np.sum(expected * expected))
    factor = float(np.sum(got * expected)) / scale if scale > 0 and is_float else 0.0
    if expected.size > 1 and abs(factor) > 1e-9 and np.all(np.abs(got - factor * expected) <= abs(factor) * limit):
        return ("remark_factor", {"factor": f"{factor:.4g}"})
    return None


def compare(expected, got, allowed, where, strict=False):
    """Compare an answer with the reference's, part by part, and raise Mismatch at the first difference.

    `strict` also demands the contract's exact shapes and integer or bool types; without it a superfluous axis of
    length one is dropped.
    """
    if isinstance(got, Opaque):
        raise Mismatch("not_plain", where=where, got=got.type_name)
    if got is None:
        raise Mismatch("returned_none", where=where)
    if isinstance(expected, list) and any(isinstance(item, (str, dict)) for item in expected):
        expected = tuple(expected)  # not rows of an array
    if isinstance(expected, tuple):
        if isinstance(got, np.ndarray) and got.ndim and len(got) == len(expected):
            got = tuple(got)
        if not isinstance(got, (tuple, list)):
            raise Mismatch("wrong_type", where=where, expected=f"{len(expected)} results", got=type(got).__name__)
        if len(got) != len(expected):
            raise Mismatch("wrong_count", where=where, expected=len(expected), got=len(got))
        try:
            for position, (one, other) in enumerate(zip(expected, got)):
                compare(one, other, allowed, f"{where}[{position}]", strict)
        except Mismatch as mismatch:
            if len(expected) == 2 and agrees(expected[0], got[1], allowed) and agrees(expected[1], got[0], allowed):
                raise Mismatch("swapped", where=where) from None
            raise mismatch
    elif isinstance(expected, dict):
        if not isinstance(got, dict):
            raise Mismatch("wrong_type", where=where, expected="a dict", got=type(got).__name__)
        for key in expected:
            if key not in got:
                raise Mismatch("missing_key", where=where, key=repr(key), got=", ".join(map(repr, list(got)[:12])))
        for key in expected:
            compare(expected[key], got[key], allowed, f"{where}[{key!r}]", strict)
    elif isinstance(expected, str):
        if not isinstance(got, str):
            raise Mismatch("wrong_type", where=where, expected="a string", got=type(got).__name__)
        if got != expected:
            raise Mismatch("wrong_number", where=where, expected=repr(expected), got=describe(got), remark_key=None)
    else:
        compare_arrays(np.asarray(expected), got, allowed, where, strict)


def agrees(expected, got, allowed, strict=False):
    """Whether :func:`compare` finds no difference."""
    try:
        compare(expected, got, allowed, "", strict)
    except Mismatch:
        return False
    return True


def same(first, second, allowed):
    """Whether two plain answers, right or wrong, are alike in form and values."""
    if isinstance(first, (tuple, list)) and isinstance(second, (tuple, list)) and len(first) == len(second):
        return all(same(one, other, allowed) for one, other in zip(first, second))
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(same(first[key], second[key], allowed) for key in first)
    if any(isinstance(value, (str, dict, Opaque, type(None))) for value in (first, second)):
        return describe(first) == describe(second)
    try:
        if np.iscomplexobj(first) or np.iscomplexobj(second):
            return all(agrees(part(first), part(second), allowed, strict=True) for part in (np.real, np.imag))
        return agrees(np.asarray(first), second, allowed, strict=True)
    except (ValueError, TypeError):  # rows of different lengths
        return describe(first) == describe(second)


class CaseFailed(AssertionError):
    """A property that does not hold; the text is the whole message for the reader. `answers` led to it."""

    answers = ()


class Ask:
    """One case's questions to one learner function.

    `env` maps names to callables (the notebook's namespace, or proxies of it); `case` is `stage/question/name`;
    `setting` holds the seed, the tolerances, the texts, the names of the parameters, the reference, and an `oracle`:
    `oracle(case)(compute)` gives a value that only the reference can give, computed now or recorded earlier.
    """

    def __init__(self, env, case, setting):
        self.case = case
        self.question = case.split("/")[1]
        self.setting = setting
        self._asked = None
        self._answers = []  # (error's class names or None, result, which arguments changed) of every call
        self._oracle = setting["oracle"](case)
        self.function = env.get(self.question)
        if not callable(self.function):
            near = difflib.get_close_matches(self.question, [n for n in env if isinstance(n, str) and callable(env[n])], 1)
            self.fail("misspelt" if near else "missing", near=near[0] if near else "")
        begin_case = getattr(self.function, "begin_case", None)
        if begin_case is not None:
            begin_case(case)

    # --- inputs ------------------------------------------------------------------------------------------------

    def generators(self, count):
        """`count` independent random generators that depend on the course's seed and the case alone."""
        return [np.random.default_rng([self.setting["seed"], *self.case.encode(), i]) for i in range(count)]

    # --- asking ------------------------------------------------------------------------------------------------

    def call(self, *args):
        """The learner's answer on copies of `args`, as plain data; a raised exception fails the case."""
        result, error = self._attempt(args)
        if error is not None:
            kinds, text, line = error
            place = self._text("at_line", line=line) if line else ""
            self.fail("raised", error=f"{kinds[0]}: {text}" if text else kinds[0], place=place)
        return result

    def reference(self, *args):
        """The reference's answer on its own copies of `args`."""
        return self._oracle(lambda: self.setting["reference"](*copied(args)))

    def expected(self, compute):
        """A value computed from the reference by `compute(reference)`; recorded in released cases."""
        return self._oracle(lambda: compute(self.setting["reference"]))

    def agrees(self, *args, tolerance="default", expected=None):
        """Compare the learner's answer with the reference's (or with `expected`); return the learner's answer."""
        return self._agrees(args, tolerance, expected, strict=False)

    def has_types_and_shapes(self, *args, tolerance="default"):
        """The contract's exact types and shapes, on an answer whose values are right as well."""
        self._agrees(args, tolerance, None, strict=True)

    def keeps_arguments(self, *args, tolerance="default"):
        """A right answer that leaves every argument as it was, bit for bit."""
        self.agrees(*args, tolerance=tolerance)
        for name, before, after in zip(self.setting["parameters"], args, self._after):
            if not identical(before, after):
                self.fail("argument_changed", argument=name, change=self._first_change(before, after))

    def keeps_no_state(self, args, other, tolerance="default"):
        """The same answer, and the right one, for the same arguments after a call with `other` arguments."""
        expected = self.reference(*args)
        self._agrees(args, tolerance, expected, strict=False)
        self.agrees(*other, tolerance=tolerance)
        second = self.call(*args)
        try:
            compare(expected, second, self._allowed(tolerance), self._text("the_result"))
        except Mismatch as mismatch:
            self.fail("state_kept", difference=self._mismatch_text(mismatch))

    def refuses(self, *bad, valid, tolerance="default"):
        """A right answer on the `valid` arguments and a ValueError on each of the `bad` ones (a tuple each)."""
        self.agrees(*valid, tolerance=tolerance)
        for args in bad:
            result, error = self._attempt(args)
            if error is None:
                self.fail("bad_input_accepted", got=describe(result))
            kinds, text, _ = error
            if "ValueError" not in kinds:
                self.fail("bad_input_other_error", error=f"{kinds[0]}: {text}" if text else kinds[0])

    def requires(self, condition, key, /, **fields):
        """Fail with the text `key` unless `condition` holds (for properties that no method above covers)."""
        if not condition:
            self.fail(key, **fields)

    def fail(self, key, /, **fields):
        """End the case with a message that stands alone: the property, what was asked, what is wrong."""
        title = self.setting["texts"]["cases"].get(self.case.split("/", 1)[1], self.case.split("/")[-1])
        lines = [self._text("headline", question=self.question, title=title)]
        if self._asked is not None:
            given = ", ".join(f"{name} = {describe(value)}" for name, value in zip(self.setting["parameters"], self._asked))
            lines.append(self._text("asked", call=f"{self.question}({given})"))
        lines.append(self._text(key, question=self.question, **fields))
        known = self.setting.get("hints", {}).get(self.case, ())
        hints = [hint for hint, answers in known if same_answers(answers, self._answers, self._allowed("default"))]
        failure = CaseFailed("\n".join(lines + [self._text("hint", hint=hint) for hint in hints[:1]]))
        failure.answers = self._answers
        raise failure

    # --- inside ------------------------------------------------------------------------------------------------

    def _text(self, key, /, **fields):
        return self.setting["texts"]["checks"][key].format(**fields)

    def _mismatch_text(self, mismatch):
        fields = dict(mismatch.fields)
        remark = fields.pop("remark_key", None)
        text = self._text(mismatch.key, **fields)
        if remark is None:
            return text
        key, remark_fields = remark
        size = _size_named(remark_fields.get("factor"), self.setting["parameters"], self._asked)
        if size is not None:
            key, remark_fields = "remark_factor_of_size", {**remark_fields, "size": size}
        return text + "\n  " + self._text(key, **remark_fields)

    def _attempt(self, args):
        """Call the learner: (plain result, None) or (None, (exception class names, text, line)). A stub ends the case."""
        self._asked = args
        result, error, self._after = attempt(self.function, args)
        self._answers.append((error and error[0], result, changes(args, self._after)))
        if error is not None and error[0][0] == "NotImplementedError":
            self.fail("not_attempted")
        if error is not None and error[0][0] in ("timeout", "crashed", "protocol"):
            self.fail(error[0][0], detail=error[1])
        return result, error

    def _agrees(self, args, tolerance, expected, strict):
        if expected is None:
            expected = self.reference(*args)
        answer = self.call(*args)
        try:
            compare(expected, answer, self._allowed(tolerance), self._text("the_result"), strict)
        except Mismatch as mismatch:
            self.fail("mismatch", difference=self._mismatch_text(mismatch))
        return answer

    def _allowed(self, tolerance):
        limits = self.setting["tolerances"]
        if tolerance == "default":
            tolerance = limits["relative"]
        if tolerance == "entrywise":
            return lambda expected: limits["entrywise_relative"] * np.abs(expected) + limits["absolute_floor"]
        if tolerance == "sigmoid":
            return lambda expected: np.full(np.shape(expected), limits["sigmoid_absolute"])

        def scaled(expected):
            finite = np.abs(expected[np.isfinite(expected)])
            return np.full(expected.shape, max(tolerance * finite.max(initial=0.0), limits["absolute_floor"]))
        return scaled

    def _first_change(self, before, after):
        if isinstance(before, dict) and isinstance(after, dict):
            for key in before:
                if key not in after or not identical(before[key], after[key]):
                    inner = self._first_change(before[key], after[key]) if key in after else self._text("removed")
                    return f"[{key!r}] {inner}"
        if isinstance(before, (list, tuple)) and isinstance(after, (list, tuple)) and len(before) == len(after):
            differing = [i for i, (one, other) in enumerate(zip(before, after)) if not identical(one, other)]
            if differing:
                return f"[{differing[0]}] {self._first_change(before[differing[0]], after[differing[0]])}"
        if isinstance(before, np.ndarray) and isinstance(after, np.ndarray) and before.shape == after.shape:
            changed = np.argwhere((before != after) & ~((before != before) & (after != after)))
            if len(changed):
                index = tuple(int(i) for i in changed[0])
                return self._text("changed_entry", index=index, before=describe(before[index]), after=describe(after[index]))
        return self._text("changed_value", before=describe(before), after=describe(after))


def attempt(function, args):
    """Call a function on copies: (plain result, error, arguments afterwards); error is (class names, text, line)."""
    passed = copied(args)
    error = result = None
    try:
        result = plain(function(*passed))
    except KeyboardInterrupt:
        raise
    except BaseException as exception:  # SystemExit and friends are answers too, not an end of grading
        error = getattr(exception, "learner_error", None) or _described(exception)
    after = getattr(function, "arguments_after", None)
    return result, error, passed if after is None else after


def changes(before, after):
    """Which arguments a call has changed, as bools."""
    return tuple(not identical(one, other) for one, other in zip(before, after))


def same_answers(first, second, allowed):
    """Whether two sequences of answers (error's class names, result, changed arguments) are alike."""
    return len(first) == len(second) and all(
        _same_error(one[0], other[0]) and one[2] == other[2] and (one[0] is not None or same(one[1], other[1], allowed))
        for one, other in zip(first, second))


def _same_error(first, second):
    """Whether both are no error, or one is of the other's class."""
    if first is None or second is None:
        return first is second
    return first[0] in second or second[0] in first


def _size_named(factor, names, args):
    """Say which length among the arguments a factor (as text) is, or is one over; None if it is none of them."""
    for name, value in zip(names, args or ()):
        shape = value.shape if isinstance(value, np.ndarray) else (len(value),) if isinstance(value, list) else ()
        for axis, length in enumerate(shape):
            if length > 1 and factor in (f"{length:.4g}", f"{1 / length:.4g}"):
                return f"{length} = {name}.shape[{axis}]" if isinstance(value, np.ndarray) else f"{length} = len({name})"
    return None


def _described(exception):
    """(class names, text, line in the learner's code) of an exception that was raised in this process."""
    line = exception.__traceback__
    while line is not None and line.tb_next is not None:
        line = line.tb_next
    kinds = [kind.__name__ for kind in type(exception).__mro__]
    try:
        text = str(exception)[:300]
    except Exception:  # a learner's class may not know how to print itself
        text = ""
    return kinds, text, line.tb_lineno if line is not None else None


def computed(case):
    """The oracle where the reference is at hand: compute every value."""
    return lambda compute: compute()


def recorded(answers):
    """The oracle of released cases: the values that were recorded for each case, in the order of asking."""
    def oracle(case):
        remaining = iter(answers[case])
        return lambda compute: next(remaining)
    return oracle

SETTING = {**{'seed': 20260901, 'tolerances': {'relative': 1e-05, 'absolute_floor': 1e-12, 'entrywise_relative': 0.0001, 'sigmoid_absolute': 1e-07, 'gradient_check': 1e-06}, 'texts': {'checks': {'headline': '{question}: {title}', 'asked': '  asked:    {call}', 'the_result': 'the result', 'the_gradient': 'the gradient', 'missing': "  `{question}` is not defined in your notebook. Run the cell that defines it, or restore the function's name.", 'misspelt': '  `{question}` is not defined in your notebook, but `{near}` is. Is the name misspelt?', 'not_attempted': '  `{question}` still raises NotImplementedError: not attempted yet.', 'raised': '  got:      your function raised {error}{place}', 'at_line': ' (line {line} of the code it was in)', 'timeout': '  got:      no answer within {detail}. Look for a loop that never ends.', 'crashed': '  got:      the process that ran your function ended without an answer ({detail}).', 'protocol': '  got:      an answer that cannot be read ({detail}).', 'mismatch': '  {difference}', 'returned_none': 'got:      {where} is None. Is the return line missing, or inside the loop?', 'not_plain': 'got:      {where} is a {got}. Return plain numpy arrays and numbers; np.asarray(...) converts.', 'wrong_type': 'expected: {where} as {expected}\n  got:      {got}', 'ragged': 'got:      {where} cannot be read as an array: its rows differ in length or hold other objects.', 'complex_result': 'got:      {where} has an imaginary part. Expected real numbers.', 'wrong_count': 'expected: {expected} results\n  got:      {got}', 'swapped': 'got:      the two results in the wrong order.', 'missing_key': 'expected: {where} has the key {key}\n  got:      keys {got}', 'wrong_shape': 'expected: {where} has shape {expected}\n  got:      shape {got}', 'extra_axis': 'expected: {where} has shape {expected}\n  got:      shape {got}: an axis of length one too many or too few', 'not_finite': 'got:      {where} has {count} of {size} entries that are not finite; the first at index {index}: {got}, expected {expected}', 'wrong_number': 'expected: {where} is {expected}\n  got:      {got}', 'wrong_value': '{where} of shape {shape} differs in {count} of {size} entries, first at index {index}\n  expected: {expected}\n  got:      {got}', 'remark_transposed': 'note:     your result is the transpose of the expected one.', 'remark_factor': 'note:     every entry is {factor} times the expected one.', 'remark_factor_of_size': 'note:     every entry is {factor} times the expected one ({size}).', 'remark_right_values': 'note:     the values are right, their arrangement is not.', 'hint': '  hint:     {hint}', 'argument_changed': '  got:      the right answer, but the call changed its argument `{argument}`: {change}. Work on a copy.', 'changed_entry': 'at index {index} from {before} to {after}', 'changed_value': 'from {before} to {after}', 'removed': 'removed', 'state_kept': '  got:      another answer at the second identical call. A function keeps nothing between calls.\n  {difference}', 'bad_input_accepted': '  expected: ValueError for this input\n  got:      {got}', 'bad_input_other_error': '  expected: ValueError for this input\n  got:      {error}', 'overflow_expected': '  expected: a loss that is inf or NaN, after 400 steps of this explosion\n  got:      something else', 'other_signal': '  row {row} of the fault matrix: the record of your run should give {signal} = {expected}\n  got:      {got}', 'loss_not_down': '  row b of the fault matrix: 100 clipped updates should bring the loss down to at most 1e-10 of the first\n  got:      a larger one', 'clipping_made_a_difference': '  row c of the fault matrix: no gradient is above tau, so the run with clipping and the one without are identical\n  got:      two different records', 'finite_elsewhere': '  {name}: expected finite values up to the first loss that is not finite, and none (the norms: NaN) from there on\n  got:      finite values elsewhere', 'not_a_measured_error': '  expected: one number, the relative error as measured\n  got:      something else', 'error_of_another_size': '  expected: an error below 1e-6, and above 0: rounding never agrees to the last bit\n  got:      {error}', 'another_error_again': '  expected: the same error for the same seed\n  got:      another one at the second call', 'the_same_error_for_other_seeds': '  expected: other networks, so other errors, for other seeds\n  got:      the same one', 'gradient_differs': '  {array} of shape {shape} disagrees with central differences: error {error}, limit {limit}\n  largest difference at index {index}\n  expected: {expected}\n  got:      {got}'}, 'cases': {'forward_backward/three_linear_steps': 'three steps of a linear network', 'forward_backward/three_tanh_steps': 'three steps with tanh', 'forward_backward/types_and_shapes': 'a loss and three arrays of the right shapes'}}, 'parameters': ['W', 'x1', 'y', 'T', 'activation']}, 'oracle': recorded(ANSWERS), 'hints': HINTS}

OK_FORMAT = False
name = 'forward_backward'
points = [1.0, 1.0, 1.0]
